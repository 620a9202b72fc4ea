public import AlertCore
import FobBase
import SerialIO
import Synchronization

/// Keeps one alert for each incident at an Alertmanager, by its API v2: firing while the incident
/// is open, resolved with the closing message, under each name that the incident has had.
///
/// An alert that nobody refreshes resolves itself: each message sets its end 31 minutes ahead, a
/// minute more than an incident is tracked for (R45).
public struct AlertmanagerSink: Sink {
  static let endsAfter = Interval.minutes(31)

  /// The configured name, `alertmanager` by default.
  public let name: String
  /// The Alertmanager is on this host and was declared a test.
  public let isTest: Bool
  private let base: HTTPAddress
  private let incidents = AlertIdentities()
  var http = HTTPClientShell()

  /// Alerts are posted to `base` with `/api/v2/alerts` appended.
  public init(name: String, base: HTTPAddress, isTest: Bool = false) {
    self.name = name
    self.base = base
    self.isTest = isTest
  }

  /// The Alertmanager as a contact of its own.
  public var channel: Contact? { Contact(id: "alertmanager:\(name)", name: "Alertmanager \(name)") }

  /// Only the Alertmanager itself can be told.
  public func obstacle(to contact: Contact) -> String? { obstacleOfChannel(to: contact) }

  /// Posts once, an alert for each name of the incident, and waits, 10 s at most; throws unless the
  /// answer is a 2xx.
  public func deliver(_ message: OutgoingMessage) throws(SinkFailure) {
    let now = WallClock.now()
    let identity = incidents.identity(of: message)
    var alerts = [Alert(message, of: message.incident, identity, now: now)]
    alerts += message.aliases.map { Alert(message, of: $0, identity, now: now) }
    try http.post(
      base.appending("/api/v2/alerts"), headers: [("Content-Type", "application/json")],
      body: try JSONBody.bytes(alerts, for: name), for: name
    ).requireAcceptance()
    if message.kind == .closing { incidents.forget(message.incident) }
  }

  /// `postableAlert` of
  /// https://github.com/prometheus/alertmanager/blob/main/api/v2/openapi.yaml
  struct Alert: Encodable {
    let labels: [String: String]
    let annotations: [String: String]
    let startsAt: String
    let endsAt: String

    init(
      _ message: OutgoingMessage, of incident: String, _ identity: AlertIdentities.Identity,
      now: Int64
    ) {
      var labels = identity.labels
      labels["incident"] = incident
      self.labels = labels
      var annotations = ["summary": message.headline, "description": message.text]
      if let position = message.position {
        annotations["position"] =
          "\(Position.degrees(position.latitude)), \(Position.degrees(position.longitude))"
        annotations["map"] = AlertText.map(of: position)
      }
      annotations["acknowledge"] = message.acknowledgeURL
      self.annotations = annotations
      startsAt = RFC3339.text(identity.startedAt)
      let end = message.kind == .closing ? now : now + AlertmanagerSink.endsAfter.microseconds
      endsAt = RFC3339.text(max(end, identity.startedAt))
    }
  }
}

/// Labels and start of each open incident's alert. An Alertmanager knows an alert by its labels, so
/// they stay even if the account is edited meanwhile.
final class AlertIdentities: Sendable {
  struct Identity: Sendable {
    let labels: [String: String]
    /// µs since 1970.
    let startedAt: Int64
  }

  /// Far more than can be open at one time; beyond it the oldest is forgotten.
  private static let limit = 64
  private let known = Mutex<[(incident: String, identity: Identity)]>([])

  func identity(of message: OutgoingMessage) -> Identity {
    known.withLock { known in
      if let found = known.first(where: { $0.incident == message.incident }) {
        return found.identity
      }
      var labels = [
        "alertname": "FobEmergency", "severity": message.isBench ? "bench" : "critical",
      ]
      // An Alertmanager treats an empty label as missing.
      if !message.country.isEmpty { labels["country"] = message.country }
      if !message.language.isEmpty { labels["language"] = message.language }
      let identity = Identity(labels: labels, startedAt: message.decidedWall)
      if known.count == Self.limit { known.removeFirst() }
      known.append((message.incident, identity))
      return identity
    }
  }

  func forget(_ incident: String) {
    known.withLock { $0.removeAll { $0.incident == incident } }
  }
}
