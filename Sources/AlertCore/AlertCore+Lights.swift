import FobBase
public import WireProtocol

/// The lights of the keychains.
extension AlertCore {
  /// The indication for the account's keychains.
  public func indication(at now: Timestamp) -> Indication {
    guard let incident = engine.incident else {
      // A lost alarm may have been open: the light must not say that all is well.
      return Indication(state: damage?.isAlarmInDoubt == true ? .failed : .idle)
    }
    // An unclaimed incident is no alarm of the owner's.
    guard !incident.isUnclaimed else { return Indication(state: .idle) }
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

  /// The indication for an unclaimed keychain: FAILED while its own press is open, since it was not
  /// sent; else that it can be claimed (R3, G5).
  private func strangerIndication(_ device: DeviceID) -> Indication {
    guard let open = engine.open, open.presses.contains(where: { $0.deviceID == device })
    else { return Indication(state: .unclaimed) }
    return Indication(incident: open.id.wire, state: .failed, sounder: open.sounder)
  }

  /// Sends an indication to each line whose keychain is to show something new.
  mutating func indicate(at now: Timestamp, _ output: inout CoreOutput) {
    let indication = indication(at: now)
    let linked = engine.ownsAll ? [] : book.linked
    let owned = linked.filter { engine.owns($0.device) }.compactMap(\.entry.link)
    // A change of owner counts too: a keychain that was just claimed was last told that it is
    // unclaimed.
    if indication != lights.shown || owned != lights.owned {
      lights.shown = indication
      lights.owned = owned
      output.indications.append((indication, engine.ownsAll ? nil : owned))
    }
    for link in owned { lights.strangers[link] = nil }
    for (device, entry) in linked where !engine.owns(device) {
      guard let link = entry.link else { continue }
      let indication = strangerIndication(device)
      guard lights.strangers[link] != indication else { continue }
      lights.strangers[link] = indication
      output.indications.append((indication, [link]))
    }
  }
}

/// The indications that were sent last.
struct Lights {
  fileprivate var shown: Indication?
  /// The lines that got `shown`; empty where every keychain is the account's.
  fileprivate var owned: [LinkID] = []
  /// The indications of unclaimed keychains, by line.
  fileprivate var strangers: [LinkID: Indication] = [:]

  /// A line that comes up gets its indication again.
  mutating func lineChanged(_ link: LinkID, isUp: Bool) {
    strangers[link] = nil
    if isUp { shown = nil }
  }
}
