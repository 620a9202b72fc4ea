public import FobBase
public import WireProtocol

/// The lights of the keychains.
extension AlertCore {
  /// The indication for the account's keychains.
  /// - Parameters:
  ///   - now: by both clocks.
  ///   - device: of this one alone; nil: of those that no series of check-ins and no
  ///     exercise names.
  @inline(__always)
  public func indication(at now: Timestamp, on device: DeviceID? = nil) -> Indication {
    let due = checkIns.shown(on: device?.text, at: now)
    let message = messages.light(at: now)
    let resting =
      message.map { Indication(state: $0) } ?? exercises.light(on: device)
      ?? Indication(state: due > 0 ? .due : .idle, detail: due)
    guard let incident = engine.incident else {
      // A lost alarm may have been open: the light must not say that all is well.
      return damage?.isAlarmInDoubt == true ? Indication(state: .failed) : resting
    }
    // An unclaimed incident is no alarm of the owner's, and one that has ended hides no check-in,
    // exercise or message.
    guard !incident.isUnclaimed, incident.state.isOpen || resting.state == .idle else {
      return resting
    }
    var shown = Indication(incident: incident.id.wire, state: .ended, sounder: incident.sounder)
    switch incident.phase {
    case .open(.countdown(let ends)):
      shown.state = .countdown
      shown.detail = UInt8(clamping: (ends.since(now).microseconds + 999_999) / 1_000_000)
    case .open(.sending): shown.state = .sending
    case .open(.failed): shown.state = .failed
    case .open(.sent):
      shown.state =
        !commitQueue.isDurable(incident)
        ? .sending : incident.acknowledgedBy.isEmpty ? .accepted : .acknowledged
    case .ended: break
    }
    return shown
  }

  /// What the account's keychain on a line is to show.
  public func indication(at now: Timestamp, on link: LinkID) -> Indication {
    let device = book.device(on: link)
    return device.flatMap { movedIndication($0) } ?? indication(at: now, on: device)
  }

  /// The indication for a keychain whose open presses have gone to the account that has claimed it,
  /// and whose line has not yet: they are being sent there.
  private func movedIndication(_ device: DeviceID) -> Indication? {
    guard !lights.moved.isEmpty, let moved = lights.moved[device],
      engine.open?.presses.contains(where: { $0.deviceID == device }) != true
    else { return nil }
    return Indication(incident: moved.incident.wire, state: .sending, sounder: true)
  }

  /// The light is that of the account's own alarms.
  private func isLit(_ device: DeviceID) -> Bool {
    engine.owns(device) && movedIndication(device) == nil
  }

  /// A line has come or gone: where a move is durable, what it shows is no move's any more.
  mutating func endMovedLight(of device: DeviceID) {
    if let moved = lights.moved[device], !isMoving(moved.move) { lights.moved[device] = nil }
  }

  /// The indication for an unclaimed keychain: FAILED while its own press is open, since it was not
  /// sent; else that it can be claimed (R3, G5).
  private func strangerIndication(_ device: DeviceID) -> Indication {
    guard let open = engine.open, open.presses.contains(where: { $0.deviceID == device })
    else { return movedIndication(device) ?? Indication(state: .unclaimed) }
    return Indication(incident: open.id.wire, state: .failed, sounder: open.sounder)
  }

  /// Sends an indication to each line whose keychain is to show something new.
  mutating func indicate(at now: Timestamp, _ output: inout CoreOutput) {
    let indication = indication(at: now)
    let asksSingly =
      checkIns.asksSingleKeychains || exercises.asksSingleKeychain
      || !lights.single.isEmpty
    let lightsAll = engine.ownsAll && lights.moved.isEmpty
    let linked = lightsAll && !asksSingly ? [] : book.onLines
    let owned = linked.filter { isLit($0.device) }.map(\.link)
    // A change of owner counts too: a keychain that was just claimed was last told that it is
    // unclaimed.
    if indication != lights.shown || owned != lights.owned {
      lights.shown = indication
      lights.owned = owned
      lights.single = [:]
      output.indications.append((indication, lightsAll ? nil : owned))
    }
    if asksSingly { indicateSingly(linked, indication, at: now, &output) }
    for link in owned { lights.strangers[link] = nil }
    for (link, device) in linked where !isLit(device) {
      let indication = strangerIndication(device)
      guard lights.strangers[link] != indication else { continue }
      lights.strangers[link] = indication
      output.indications.append((indication, [link]))
    }
  }
}

extension AlertCore {
  /// Sends keychains what they alone show: a series of check-ins or an exercise may name one.
  private mutating func indicateSingly(
    _ linked: [(link: LinkID, device: DeviceID)], _ common: Indication,
    at now: Timestamp, _ output: inout CoreOutput
  ) {
    for (link, device) in linked where isLit(device) {
      let own = indication(at: now, on: device)
      guard own != lights.single[link] ?? common else { continue }
      lights.single[link] = own == common ? nil : own
      output.indications.append((own, [link]))
    }
  }
}

/// The indications that were sent last.
struct Lights {
  /// Those of keychains that show check-ins or an exercise of their own, by line.
  fileprivate var single: [LinkID: Indication] = [:]
  fileprivate var shown: Indication?
  /// The lines that got `shown`; empty where every keychain is the account's.
  fileprivate var owned: [LinkID] = []
  /// The indications of unclaimed keychains, by line.
  fileprivate var strangers: [LinkID: Indication] = [:]
  /// Keychains on lines whose open presses have moved, each with the incident that has lost them.
  var moved: [DeviceID: (incident: IncidentID, move: MoveID)] = [:]

  /// A line that comes up gets its indication again.
  mutating func lineChanged(_ link: LinkID, isUp: Bool) {
    strangers[link] = nil
    single[link] = nil
    if isUp { shown = nil }
  }
}
