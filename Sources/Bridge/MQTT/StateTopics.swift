import AlertCore
import FobBase
import Sinks
import WireProtocol

/// What a broker keeps of a core: of each topic the text that whoever subscribes gets at once. A
/// function of what is known now, so that the same state has the same texts.
struct StateTopics {
  /// What all topics begin with.
  let topic: String
  /// The topic of Home Assistant's discovery; nil: it is told nothing.
  let discovery: String?

  var availability: String { MQTTSink.availability(topic) }
  var alarm: String { topic + "/alarm" }
  var status: String { topic + "/status" }
  var messages: String { MQTTSink.messages(topic) }
  var command: String { topic + "/command" }
  var result: String { topic + "/result" }
  func keychain(_ device: String, _ part: String = "") -> String {
    "\(topic)/keychains/\(device)\(part)"
  }
  func press(_ device: String) -> String { keychain(device, "/press") }
  /// How a topic with a position ends.
  static let position = "/position"

  /// Every topic with its text; an empty one takes away what the broker keeps. Keychains are those
  /// of the account.
  func retained(
    _ now: CoreStatus, _ readings: [String: KeychainReading]
  ) -> [String: String] {
    var texts = [
      availability: MQTTSink.online,
      alarm: Self.json(AlarmState(now)),
      status: Self.json(Overall(now)),
    ]
    for device in now.devices where device.isOwned {
      let isThere = device.isLinked ? MQTTSink.online : MQTTSink.offline
      texts[keychain(device.device, "/availability")] = isThere
      let reading = readings[device.device]
      texts[keychain(device.device)] = Self.json(Keychain(device, reading?.light))
      if let position = reading?.position {
        texts[keychain(device.device, Self.position)] = Self.json(
          Place(position, accuracy: reading?.accuracy))
      }
    }
    if let discovery {
      let assistant = HomeAssistant(topics: self, root: discovery)
      for (topic, config) in assistant.entities(of: now, readings) { texts[topic] = config }
    }
    return texts
  }

  /// In the order in which they are told: an alarm first, and what Home Assistant discovers last.
  func sorted(_ some: some Sequence<String>) -> [String] {
    let own = topic + "/"
    return some.sorted { ($0.hasPrefix(own) ? 0 : 1, $0) < ($1.hasPrefix(own) ? 0 : 1, $1) }
  }

  /// Keys are sorted, so that the same value has the same text.
  static func json(_ value: some Encodable) -> String {
    // Of texts, numbers and truths alone, which all have a form.
    (try? JSONBody.bytes(value)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
  }
}

// MARK: The texts

extension StateTopics {
  /// `TOPIC/alarm`.
  struct AlarmState: Encodable {
    let state: EmergencyState
    /// The same as Home Assistant's alarm panel calls it.
    let panel: String
    /// What a command has to name; nil without an alarm.
    let incident: String?
    let device: String?
    let since: String?
    let isAcknowledged: Bool
    let isSounding: Bool
    let isBench: Bool
    /// Whether a paired keychain has proved a press of it; nil: none is paired.
    let isProved: Bool?
    /// Why the alarm has ended here: one that has moved may go on at another account.
    let endReason: EndReason?

    init(_ status: CoreStatus) {
      let incident = status.incident
      endReason = incident?.endReason
      state = status.state
      self.incident = incident?.id.description
      device = incident.map { DeviceID(rawValue: $0.device).text }
      since = incident.map { RFC3339.text($0.openedAt.wall) }
      isAcknowledged = incident?.isAcknowledged ?? false
      isSounding = status.state.isOpen && incident?.sounder == true
      isBench = incident?.isBench ?? false
      let proofs = incident?.presses.compactMap(\.isProved) ?? []
      isProved = proofs.isEmpty ? nil : proofs.contains(true)
      panel =
        switch status.state {
        case .alertCountdown: "pending"
        case .emergencySending, .emergencySendingFailed, .emergencySent: "triggered"
        case .emergencyEnded: "disarmed"
        // R48: no alarm is not yet protection. A press raises one all the same.
        case .noEmergency: status.account.isProtecting ? "armed_away" : "disarmed"
        }
    }
  }

  /// `TOPIC/status`.
  struct Overall: Encodable {
    let overall: StatusRow.Level
    let summary: String
    let concerns: [CoreStatus.Concern]

    init(_ status: CoreStatus) {
      overall = status.overall
      summary = status.summary
      concerns = status.concerns
    }
  }

  /// `TOPIC/keychains/ID`.
  struct Keychain: Encodable {
    let isLinked: Bool
    /// To the minute, so that a quiet keychain says nothing new each second.
    let heardAt: String?
    let battery: UInt8?
    let light: String?
    let isSounding: Bool?
    let firmware: String?
    let isBench: Bool
    let isProved: Bool?

    init(_ device: CoreStatus.Device, _ light: LinkEvent.Light?) {
      isLinked = device.isLinked
      heardAt = device.heardAt.map { RFC3339.text($0.wall / 60_000_000 * 60_000_000) }
      battery = device.lines.first { $0.kind == .battery }?.percent
      self.light = light?.shown.map { "\($0)" }
      isSounding = light?.sounder
      firmware = device.firmware
      isBench = device.isBench
      isProved = device.isProved
    }
  }

  /// `TOPIC/keychains/ID/position`, with the names that Home Assistant's trackers read.
  struct Place: Encodable {
    let latitude: Double
    let longitude: Double
    /// m; nil: unknown.
    let accuracy: Double?
    let at: String

    enum CodingKeys: String, CodingKey {
      case latitude, longitude
      case accuracy = "gps_accuracy"
      case at
    }

    init(_ position: Position, accuracy: Double?) {
      latitude = Double(position.latitude) / 1e7
      longitude = Double(position.longitude) / 1e7
      self.accuracy = accuracy
      at = RFC3339.text(position.wall)
    }
  }

  /// `TOPIC/keychains/ID/press`, which is not kept.
  struct Press: Encodable {
    let device: String
    /// "boot.n"
    let event: String
    let at: String
    /// What it was taken for, as the log has it.
    let meaning: String
  }
}
