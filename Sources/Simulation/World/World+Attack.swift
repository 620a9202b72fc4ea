import AlertCore
import Emulator
import FobBase
import Judge
import WireProtocol

/// Somebody on the wires, and the keys that he has not.
extension World {
  /// Pairs each keychain with the cores of all hosts: each of them may be plugged into.
  /// - Parameter seed: of a part of the world.
  func pair(_ seed: (Int) -> UInt64) {
    for keychain in keychains {
      let part = 6_000 + 2 * keychain.index
      let key = PairingKey(low: seed(part), high: seed(part + 1))
      keychain.board.memory.pair(key)
      for host in hosts { host.keys[keychain.board.deviceID] = key }
    }
  }

  func isPaired(_ device: DeviceID?) -> Bool { device.map { hosts[0].keys[$0] != nil } ?? false }

  /// What a keychain is paired by; nil: it is not.
  func key(of keychain: SimulatedKeychain) -> PairingKey? {
    hosts[0].keys[keychain.board.deviceID]
  }

  /// Brings bytes that one end has sent towards the other, as far as the attacker lets it.
  func carry(_ bytes: UnsafeRawBufferPointer, _ index: Int, _ way: WireWay) {
    guard attacker != nil else { return put(bytes, index, way) }
    if way == .toHost { noteSaid(bytes, index) }
    attacker?.hear(bytes, on: index, way, at: now)
    sendReady()
  }

  /// The line ends in the middle of whatever went over it.
  func cutTaps(_ index: Int) {
    guard attacker != nil else { return }
    attacker?.cut(index)
    listeners[index].reset()
  }

  private func put(_ bytes: UnsafeRawBufferPointer, _ index: Int, _ way: WireWay) {
    switch way {
    case .toHost: lines[index].toHost.send(bytes, at: now)
    case .toDevice: lines[index].toDevice.send(bytes, at: now)
    }
  }

  private func sendReady() {
    for sending in attacker?.takeReady() ?? [] where lines[sending.line].host != nil {
      sending.bytes.withUnsafeBytes { bytes in
        heardOnLine(bytes)
        put(bytes, sending.line, sending.way)
      }
    }
  }

  func moveAttacker() {
    attacker?.advance(to: now)
    sendReady()
  }

  /// He leaves off, and nothing more comes of him.
  func sendAway() {
    attacker?.leaveOff()
    sendReady()
  }

  /// The judge is told what a keychain has said: a core may believe nothing else.
  private func noteSaid(_ bytes: UnsafeRawBufferPointer, _ index: Int) {
    var chunk = bytes
    while let outcome = listeners[index].next(&chunk) {
      guard outcome == .frame else { continue }
      let said = listeners[index].withBody { body -> Observation? in
        let payload = UnsafeRawBufferPointer(rebasing: body[4...])
        switch MessageType(rawValue: body[1]) {
        case .heartbeat:
          return Heartbeat(payload).map { .beat(keychain: index, uptime: $0.uptime) }
        case .event: return .sent(keychain: index, EventIdentity(payload))
        default: return nil
        }
      }
      if let said { see(said) }
    }
  }
}
