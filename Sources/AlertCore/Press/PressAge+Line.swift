import FobBase
import WireProtocol

/// The state of each keychain's line, and what people were told of it.
extension PressAge {
  /// Takes the doubts that an earlier run has found.
  mutating func recover(_ records: [DeviceID: DeviceRecord]) {
    for (device, record) in records {
      guard let nonce = record.doubtedBoot else { continue }
      var evidence = BootEvidence(at: unheard.outage.since)
      evidence.doubt()
      put(evidence, Boot(device: device, nonce: nonce))
    }
  }

  // MARK: The line

  mutating func linkUp(_ device: DeviceID, _ hello: Hello, at now: Timestamp) {
    var line = reachability[device, default: unheard]
    line.outage.heardAgain(at: now)
    line.bootNonce = hello.bootNonce
    line.keepsEvents = hello.oldestUnacked != .none
    line.toldIn = nil
    put(line, device)
    let boot = Boot(device: device, nonce: hello.bootNonce)
    if boots[boot] == nil { put(BootEvidence(at: now), boot) }
  }

  mutating func linkDown(_ device: DeviceID, at now: Timestamp) {
    reachability[device]?.outage.lost(at: now)
  }

  /// Frames of the keychain were missed, though its line is up.
  mutating func missed(_ device: DeviceID, at now: Timestamp) {
    reachability[device]?.outage.missed(at: now)
  }

  /// The host's clock was moved: no earlier stamp can be compared any more.
  mutating func clockMoved() {
    for boot in boots.keys { boots[boot]?.forgetClock() }
  }

  mutating func heard(_ beat: Heartbeat, of device: DeviceID, at now: Timestamp) -> Doubt? {
    guard let line = reachability.index(forKey: device) else { return nil }
    // Changed in place: each keychain says this every second.
    if beat.unacked == 0, reachability.values[line].keepsEvents {
      reachability.values[line].keepsEvents = false
    }
    guard let nonce = reachability.values[line].bootNonce,
      let place = boots.index(forKey: Boot(device: device, nonce: nonce)),
      let reason = boots.values[place].hear(beat, at: now)
    else { return nil }
    return Doubt(device: device, bootNonce: nonce, reason: reason)
  }

  // MARK: Telling

  /// Whether people were told of this reconnect in that incident.
  func isTold(_ device: DeviceID, in incident: IncidentID) -> Bool {
    reachability[device]?.toldIn == incident
  }

  mutating func told(_ device: DeviceID, in incident: IncidentID) {
    reachability[device]?.toldIn = incident
  }

  // MARK: Room

  /// Without room the keychain is not followed, and so nothing about it can be proved.
  private mutating func put(_ line: Reachability, _ device: DeviceID) {
    guard reachability[device] != nil || reachability.count < Limits.devices else { return }
    reachability[device] = line
  }

  private mutating func put(_ evidence: BootEvidence, _ boot: Boot) {
    if boots.count >= Limits.followedBoots {
      let oldest = boots.min { $0.value.heardAt.instant < $1.value.heardAt.instant }
      if let oldest { boots[oldest.key] = nil }
    }
    boots[boot] = evidence
  }
}
