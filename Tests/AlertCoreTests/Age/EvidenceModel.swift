import AlertCore
import FobBase
import WireProtocol

/// The rule of the protocol said a second time, over all that has happened and second by second: a
/// press that is set aside must pass it. It knows no outage, no anchor and no state.
struct EvidenceModel {
  let history: [KeychainBench.FaultAction]

  private static let second: Int64 = 1_000_000
  /// What two stamps may be off by, each of them by ten seconds.
  private static let off = 25 * second
  private static let madeUp = 10 * second
  private static let exact = second / 4

  private struct Heard {
    let at: Int64
    let place: Int
    let identity: EventIdentity
  }

  private struct Beat {
    let at: Int64
    let place: Int
    let clock: UInt64
    let isEmpty: Bool
  }

  func allows(
    _ press: EventIdentity, _ happenedAt: ClosedRange<Int64>?, at now: Int64
  ) -> Bool {
    guard
      let disarm = history.lastIndex(where: { if case .disarm = $0.kind { true } else { false } })
    else { return false }
    let disarmedAt = history[disarm].at.instant
    if let happenedAt, happenedAt.upperBound >= disarmedAt { return false }
    let events = events(of: press.bootNonce)
    let before = events.filter { $0.place < disarm }
    guard leavesOutNoMoreThanIsKept(before), events.allSatisfy(fits), beatsFit(press.bootNonce),
      Set(events.map(\.identity.number)).count == events.count, mayHaveBeenKept(press)
    else { return false }
    return before.contains { reference in
      let made = reference.at - difference(reference.identity.clock, press.clock)
      return reference.identity.number.rawValue > press.number.rawValue
        && difference(reference.identity.clock, press.clock) > Self.exact
        && before.contains { $0.place < reference.place }
        && isLive(reference)
        && wasOut(from: made + Self.off, to: now)
    }
  }

  // MARK: Numbers

  private func leavesOutNoMoreThanIsKept(_ events: [Heard]) -> Bool {
    let numbers = Set(events.map(\.identity.number.rawValue))
    guard let least = numbers.min(), let most = numbers.max() else { return false }
    return most - least < UInt64(events.count) + 72
  }

  /// No heartbeat said, after it was made, that nothing is kept.
  private func mayHaveBeenKept(_ press: EventIdentity) -> Bool {
    beats(of: press.bootNonce).allSatisfy {
      !$0.isEmpty || difference($0.clock, press.clock) <= Self.exact
    }
  }

  // MARK: Clocks

  /// How much later it came than its stamp says, by the heartbeats of its boot that came before it;
  /// nil: there are none.
  private func lag(_ event: Heard) -> Int64? {
    beats(of: event.identity.bootNonce).last { $0.place < event.place }.map {
      event.at - $0.at - difference(event.identity.clock, $0.clock)
    }
  }

  private func isLive(_ event: Heard) -> Bool {
    // A heartbeat that came just after it does as well.
    let next = beats(of: event.identity.bootNonce).first { $0.place > event.place }
    let lag =
      lag(event) ?? next.map { event.at - $0.at - difference(event.identity.clock, $0.clock) }
    return lag.map { $0 >= -Self.exact && $0 <= Self.off } ?? false
  }

  /// It came as it was made, or while the keychain was out of reach.
  private func fits(_ event: Heard) -> Bool {
    guard let lag = lag(event) else { return true }
    return lag >= -Self.off && (lag <= Self.off || isOut(at: event.at, before: event.place))
  }

  /// They grow as they come.
  private func beatsFit(_ nonce: UInt32) -> Bool {
    let beats = beats(of: nonce)
    guard let first = beats.first else { return false }
    var behind: Int64?
    for beat in beats {
      let lag = beat.at - first.at - difference(beat.clock, first.clock)
      guard lag >= -Self.off else { return false }
      guard lag > Self.off else {
        behind = nil
        continue
      }
      if beat.at - (behind ?? beat.at) > Self.off { return false }
      behind = behind ?? beat.at
    }
    return true
  }

  // MARK: Hearing

  /// In each second between.
  private func wasOut(from: Int64, to: Int64) -> Bool {
    stride(from: min(from, to), through: to, by: Int(Self.second)).allSatisfy { isOut(at: $0) }
  }

  /// The line is down, or frames were missed not long ago.
  private func isOut(at now: Int64, before place: Int = .max) -> Bool {
    var isDown = true
    var lost = Int64.min / 2
    for (index, action) in history.enumerated() where action.at.instant <= now && index < place {
      switch action.kind {
      case .up:
        isDown = false
        lost = action.at.instant
      case .down: isDown = true
      case .missed: lost = action.at.instant
      case .beat, .event, .disarm: break
      }
    }
    return isDown || now - lost <= Self.madeUp
  }

  // MARK: History

  private func events(of nonce: UInt32) -> [Heard] {
    history.enumerated().compactMap { place, action in
      guard case .event(let identity) = action.kind, identity.bootNonce == nonce else { return nil }
      return Heard(at: action.at.instant, place: place, identity: identity)
    }
  }

  private func beats(of nonce: UInt32) -> [Beat] {
    var linked: UInt32?
    var beats: [Beat] = []
    for (place, action) in history.enumerated() {
      switch action.kind {
      case .up(let nonce): linked = nonce
      case .beat(let clock, let isEmpty):
        guard linked == nonce else { continue }
        beats.append(Beat(at: action.at.instant, place: place, clock: clock, isEmpty: isEmpty))
      case .down, .missed, .event, .disarm: break
      }
    }
    return beats
  }

  private func difference(_ a: UInt64, _ b: UInt64) -> Int64 {
    a >= b ? Int64(clamping: a - b) : -Int64(clamping: b - a)
  }
}
