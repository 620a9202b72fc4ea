import FobBase
import HTTPTypes
import Synchronization

/// The open event streams, and the reasons why others ended.
final class Streams: Sendable {
  enum End: String, Sendable, CaseIterable {
    /// The client has left.
    case left
    /// A write waited for too long.
    case slow
    case stopping
    /// Its token was revoked, or its session has ended.
    case revoked
    /// Its account was.
    case suspended
    /// The store could not be read.
    case failed
  }

  let patience: Interval
  let heartbeat: Interval
  private let limit: Int
  private let limitOfToken: Int
  private let state = Mutex(State())

  private struct State {
    var count = 0
    var ofCaller: [Caller.Credential: Int] = [:]
    var ofHolder: [Caller.Holder: Int] = [:]
    /// All but those of bridges, whose tokens are limited alone: a press's light needs its stream.
    var limited = 0
    var ended: [End: Int] = [:]
  }

  init(limit: Int, limitOfToken: Int, patience: Interval, heartbeat: Interval) {
    self.limit = limit
    self.limitOfToken = limitOfToken
    self.patience = patience
    self.heartbeat = heartbeat
  }

  var count: Int { state.withLock { $0.count } }
  var ended: [End: Int] { state.withLock { $0.ended } }

  /// One stream's place in the count. It is given back once: at the latest when it is released,
  /// such as when a client leaves before the first byte.
  final class Place: Sendable {
    private let streams: Streams
    private let caller: Caller
    private let isEnded = Atomic(false)

    fileprivate init(_ streams: Streams, _ caller: Caller) {
      self.streams = streams
      self.caller = caller
    }

    deinit { end(.left) }

    func end(_ reason: End) {
      guard !isEnded.exchange(true, ordering: .acquiringAndReleasing) else { return }
      streams.end(caller, reason)
    }
  }

  /// - Throws: `Problem` if the limit is reached, of this caller, of their account or in all.
  func begin(_ caller: Caller) throws(Problem) -> Place {
    let (most, share) = (most(of: caller.credential), ConsoleLimits.share(ofStreams: limit))
    try state.withLock { state throws(Problem) in
      guard state.ofCaller[caller.credential, default: 0] < most else {
        throw .tooManyStreams("token or session has \(most)", "close one, or use another token")
      }
      if caller.account != nil, state.ofHolder[caller.holder, default: 0] >= share {
        throw .tooManyStreams("account has \(share)", "close one")
      }
      if caller.scope != .feed {
        guard state.limited < limit else { throw Problem.busy("event streams") }
        state.limited += 1
      }
      state.count += 1
      state.ofCaller[caller.credential, default: 0] += 1
      state.ofHolder[caller.holder, default: 0] += 1
    }
    return Place(self, caller)
  }

  private func most(of caller: Caller.Credential) -> Int {
    switch caller {
    case .token: limitOfToken
    case .session: ConsoleLimits.streamsOfSession
    }
  }

  private func end(_ caller: Caller, _ reason: End) {
    state.withLock { state in
      state.count -= 1
      if caller.scope != .feed { state.limited -= 1 }
      state.ended[reason, default: 0] += 1
      state.ofCaller.takeOne(of: caller.credential)
      state.ofHolder.takeOne(of: caller.holder)
    }
  }
}

extension Problem {
  fileprivate static func tooManyStreams(_ whose: String, _ hint: String) -> Problem {
    var problem = Problem(
      .tooManyRequests, "tooManyStreams", "this \(whose) event streams open; \(hint)")
    problem.retryAfterSeconds = 1
    return problem
  }
}
