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
    private let caller: Caller.Credential
    private let isEnded = Atomic(false)

    fileprivate init(_ streams: Streams, _ caller: Caller.Credential) {
      self.streams = streams
      self.caller = caller
    }

    deinit { end(.left) }

    func end(_ reason: End) {
      guard !isEnded.exchange(true, ordering: .acquiringAndReleasing) else { return }
      streams.end(caller, reason)
    }
  }

  /// - Throws: `Problem` if the limit is reached, of this caller or in all.
  func begin(_ caller: Caller.Credential) throws(Problem) -> Place {
    let most = most(of: caller)
    try state.withLock { state throws(Problem) in
      guard state.ofCaller[caller, default: 0] < most else {
        var problem = Problem(
          .tooManyRequests, "tooManyStreams",
          "this token or session has \(most) event streams open; close one, or use another token")
        problem.retryAfterSeconds = 1
        throw problem
      }
      guard state.count < limit else { throw Problem.busy("event streams") }
      state.count += 1
      state.ofCaller[caller, default: 0] += 1
    }
    return Place(self, caller)
  }

  private func most(of caller: Caller.Credential) -> Int {
    switch caller {
    case .token: limitOfToken
    case .session: ConsoleLimits.streamsOfSession
    }
  }

  private func end(_ caller: Caller.Credential, _ reason: End) {
    state.withLock { state in
      state.count -= 1
      state.ended[reason, default: 0] += 1
      let left = state.ofCaller[caller, default: 1] - 1
      state.ofCaller[caller] = left > 0 ? left : nil
    }
  }
}
