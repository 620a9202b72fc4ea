import FobBase
import NIOCore
import SerialIO
import Synchronization

/// The connections of the API, and the numbers of those that were closed for want of room.
final class Connections: Sendable {
  struct Counts: Equatable {
    var open = 0
    /// Closed to make room for others.
    var replaced = 0
    var refused = 0
    /// Closed because they took too long to send a request or to take the answer.
    var late = 0
  }

  private struct State {
    var table: ConnectionTable
    var channels: [ConnectionTable.ID: any Channel] = [:]
    var ids: [ObjectIdentifier: ConnectionTable.ID] = [:]
    var counts = Counts()
    var strangers = AnonymousRateLimit(every: ConsoleLimits.anonymousInterval)
  }

  private let state: Mutex<State>
  /// How many may be open.
  let most: Int

  init(most: Int) {
    self.most = most
    state = Mutex(State(table: ConnectionTable(most: most)))
  }

  var counts: Counts {
    state.withLock { state in
      var counts = state.counts
      counts.open = state.table.count
      return counts
    }
  }

  /// Admits a connection, and closes the one that gives way. False if there is no room.
  func open(_ channel: any Channel) -> Bool {
    let address = channel.remoteAddress?.ipAddress.flatMap { HostAddress($0) }
    let (isOpen, victim): (Bool, (any Channel)?) = state.withLock { state in
      switch state.table.open(from: address, at: BootClock.now()) {
      case .refused:
        state.counts.refused += 1
        return (false, nil)
      case .admitted(let id, let replaced):
        state.channels[id] = channel
        state.ids[ObjectIdentifier(channel)] = id
        guard let replaced else { return (true, nil) }
        state.counts.replaced += 1
        return (true, Self.remove(replaced, from: &state))
      }
    }
    victim?.close(promise: nil)
    return isOpen
  }

  func closeAll() {
    let channels = state.withLock { Array($0.channels.values) }
    for channel in channels { channel.close(promise: nil) }
  }

  func close(_ channel: any Channel) {
    state.withLock { state in
      guard let id = state.ids[ObjectIdentifier(channel)] else { return }
      state.table.close(id)
      _ = Self.remove(id, from: &state)
    }
  }

  func asks(_ channel: any Channel) { note(channel) { $0.asks($1) } }
  func isWhole(_ channel: any Channel) { note(channel) { $0.isWhole($1) } }
  func isAnswered(_ channel: any Channel) { note(channel) { $0.isAnswered($1) } }

  /// Closes the connection that gives way to this one, if its holder has too many.
  func shows(_ channel: any Channel, of holder: Caller.Holder) {
    let victim: (any Channel)? = state.withLock { state in
      guard let id = state.ids[ObjectIdentifier(channel)],
        let replaced = state.table.shows(id, of: holder)
      else { return nil }
      state.counts.replaced += 1
      return Self.remove(replaced, from: &state)
    }
    victim?.close(promise: nil)
  }

  /// The connection has shown a token, now or before.
  func isKnown(_ channel: any Channel) -> Bool {
    state.withLock { state in
      guard let id = state.ids[ObjectIdentifier(channel)],
        let standing = state.table.standing(of: id)
      else { return false }
      return standing >= .known
    }
  }

  /// - Returns: how long an anonymous request waits until it begins.
  func anonymousTurn() -> Interval {
    state.withLock { $0.strangers.take(at: BootClock.now()) }
  }

  /// An anonymous client that was to wait has left.
  func anonymousClientLeaves() { state.withLock { $0.strangers.giveBack() } }

  func isLate(_ channel: any Channel) {
    state.withLock { $0.counts.late += 1 }
    channel.close(promise: nil)
  }

  private func note(
    _ channel: any Channel, _ edit: (inout ConnectionTable, ConnectionTable.ID) -> Void
  ) {
    state.withLock { state in
      if let id = state.ids[ObjectIdentifier(channel)] { edit(&state.table, id) }
    }
  }

  private static func remove(
    _ id: ConnectionTable.ID, from state: inout State
  ) -> (any Channel)? {
    guard let channel = state.channels.removeValue(forKey: id) else { return nil }
    state.ids[ObjectIdentifier(channel)] = nil
    return channel
  }
}

/// Spaces the requests of anonymous clients: they begin one after the other, so many a second for
/// all together. Other clients do not wait behind them. Pure.
struct AnonymousRateLimit {
  let every: Interval
  /// When the next request may begin.
  private var next = Instant(microseconds: 0)

  init(every: Interval) { self.every = every }

  /// - Returns: how long one more request waits.
  mutating func take(at now: Instant) -> Interval {
    let begin = max(now, next)
    next = begin + every
    return begin - now
  }

  /// A waiting request has left: others move up.
  mutating func giveBack() { next = next - every }
}
