import FobBase
import WireProtocol

@testable import Conformance
@testable import Firmware

extension Mutant {
  static let seal = [
    Mutant(
      "whoever says PAIR has presence", caughtBy: "seal/no-presence", "seal/held-at-reset",
      "seal/pair"
    ) { PairsAnybody() },
    Mutant("the key is kept in memory alone", caughtBy: "seal/power-cut", "seal/events") {
      ForgetsKey()
    },
    Mutant("PAIR_RESULT shows no key", caughtBy: "seal/pair") { ShowsNoKey() },
    Mutant("what was shown outlives the pairing", caughtBy: "seal/pair-ends-lease") {
      KeepsLease()
    },
    Mutant("PROOF has a new number each time", caughtBy: "seal/proof") { CountsChallenges() },
    Mutant("its frames are not sealed", caughtBy: "seal/own-frames") { SealsEventsAlone() },
    Mutant("its events are not tagged", caughtBy: "seal/events") { TagsNoEvent() },
    Mutant(
      "commands are obeyed without a seal", caughtBy: "seal/ack", "seal/indicate", "seal/stranger"
    ) { Gullible { !$0.head.isSealed } },
    Mutant(
      "any tag, counter and clock will do", caughtBy: "seal/ack", "seal/indicate", "seal/replay",
      "seal/stale", "seal/new-session", "seal/power-cut"
    ) { Gullible { $0.head.isSealed } },
    Mutant("HELLO ends the proved session", caughtBy: "seal/stranger") { EndsAtHello() },
    Mutant("revisions go on from session to session", caughtBy: "seal/new-session") {
      KeepsRevisions()
    },
    Mutant("anybody un-pairs it", caughtBy: "seal/unpair") { ForgetsForAnybody() },
    Mutant("its button never un-pairs it", caughtBy: "seal/unpair-by-button") { KeepsKey() },
    Mutant("letting its button go un-pairs it", caughtBy: "seal/keeps-its-key") {
      ForgetsUnconfirmed()
    },
    Mutant("any press un-pairs it, however late", caughtBy: "seal/keeps-its-key") {
      ConfirmsForEver()
    },
  ]
}

/// PAIR is obeyed whether the button is held or not.
private final class PairsAnybody: Tampering {
  func booted(_ firmware: inout Keychain, _ board: inout VirtualBoard) {
    firmware.hasPresence = true
  }

  func polled(_ firmware: inout Keychain, _ board: inout VirtualBoard) {
    firmware.hasPresence = true
  }
}

/// The key is gone with the power.
private final class ForgetsKey: Tampering {
  func boots(_ board: inout VirtualBoard) {
    for index in 32..<56 { board.store[index] = 0 }
  }
}

/// PAIR_RESULT has a tag of nothing.
private final class ShowsNoKey: WireMutant {
  override func deviceSays(_ body: [UInt8], at now: Instant) -> [[UInt8]] {
    [body.changing(PairResult.self) { $0.tag = 0 }]
  }
}

/// A lease goes on over PAIR.
private final class KeepsLease: Tampering {
  private var display = Display()
  private var isPairing = false

  func toDevice(_ run: [UInt8], at now: Instant) -> [UInt8] {
    isPairing = isPairing || WireMutant.body(of: run)?.isA(.pair) == true
    return run
  }

  func polled(_ firmware: inout Keychain, _ board: inout VirtualBoard) {
    if isPairing && firmware.link.isPaired {
      firmware.display = display
      isPairing = false
    }
    display = firmware.display
  }
}

/// Each PROOF names one session more.
private final class CountsChallenges: WireMutant {
  private var more: UInt32 = 0

  override func deviceSays(_ body: [UInt8], at now: Instant) -> [[UInt8]] {
    defer { if body.isA(.proof) { more += 1 } }
    return [body.changing(Proof.self) { $0.number += more }]
  }
}

/// Nothing but EVENT is sealed.
private final class SealsEventsAlone: WireMutant {
  override func deviceSays(_ body: [UInt8], at now: Instant) -> [[UInt8]] {
    [body.isA(.event) || body.isA(.pairResult) ? body : body.unsealed]
  }
}

private final class TagsNoEvent: WireMutant {
  override func deviceSays(_ body: [UInt8], at now: Instant) -> [[UInt8]] {
    [body.isA(.event) ? body.unsealed : body]
  }
}

/// Obeys acks and INDICATE that the seal has refused.
private final class Gullible: Tampering {
  private let believes: (Heard) -> Bool
  private var said: [Heard] = []

  init(_ believes: @escaping (Heard) -> Bool) { self.believes = believes }

  func toDevice(_ run: [UInt8], at now: Instant) -> [UInt8] {
    if let body = WireMutant.body(of: run) {
      let frame = Heard(at: now, body: body)
      if believes(frame) { said.append(frame) }
    }
    return run
  }

  func polled(_ firmware: inout Keychain, _ board: inout VirtualBoard) {
    guard firmware.link.isPaired else { return }
    for frame in said where frame.at < board.hostNow {
      if let ack = frame.read(EventAck.self) { firmware.forget(ack, &board) }
      if let indicate = frame.read(Indicate.self) {
        _ = firmware.display.obey(indicate, session: indicate.session, at: board.now())
      }
    }
    said.removeAll { $0.at < board.hostNow }
  }
}

/// At each HELLO the device begins again with the key of its store.
private final class EndsAtHello: Tampering {
  private var isAsked = false

  func toDevice(_ run: [UInt8], at now: Instant) -> [UInt8] {
    isAsked = isAsked || WireMutant.body(of: run)?.isA(.hello) == true
    return run
  }

  func polled(_ firmware: inout Keychain, _ board: inout VirtualBoard) {
    guard isAsked, case .key(let key) = EventStore.pairing(&board) else { return }
    isAsked = false
    firmware.link.pair(with: key)
  }
}

/// An INDICATE has to be later than all before it, whatever session it is of.
private final class KeepsRevisions: WireMutant {
  private var last: UInt32 = 0

  override func hostSays(_ body: [UInt8], at now: Instant) -> [[UInt8]] {
    guard body[0] & 8 != 0, let indicate = body.read(Indicate.self) else { return [body] }
    guard indicate.revision >= last else { return [] }
    last = indicate.revision
    return [body]
  }
}

/// UNPAIR needs no seal.
private final class ForgetsForAnybody: Tampering {
  private var isAsked = false

  func toDevice(_ run: [UInt8], at now: Instant) -> [UInt8] {
    if let body = WireMutant.body(of: run), body.isA(.unpair), body[0] & 8 == 0 { isAsked = true }
    return run
  }

  func polled(_ firmware: inout Keychain, _ board: inout VirtualBoard) {
    guard isAsked else { return }
    isAsked = false
    firmware.unpair(&board)
    firmware.transmit.drain(into: &board)
  }
}

/// The second press is like any other.
private final class KeepsKey: Tampering {
  func polled(_ firmware: inout Keychain, _ board: inout VirtualBoard) { firmware.unpairBy = nil }
}

/// The hold alone takes the key: nobody has to press again.
private final class ForgetsUnconfirmed: Tampering {
  func polled(_ firmware: inout Keychain, _ board: inout VirtualBoard) {
    guard firmware.unpairBy != nil else { return }
    firmware.unpairBy = nil
    firmware.unpair(&board)
  }
}

/// The time for the second press never ends.
private final class ConfirmsForEver: Tampering {
  func polled(_ firmware: inout Keychain, _ board: inout VirtualBoard) {
    if firmware.unpairBy != nil { firmware.unpairBy = Instant(microseconds: .max) }
  }
}

extension [UInt8] {
  /// The frame as a device that is not paired would have said it.
  fileprivate var unsealed: [UInt8] {
    self[0] & 8 == 0 ? self : [self[0] & ~8] + self[1...].dropLast(16)
  }
}
