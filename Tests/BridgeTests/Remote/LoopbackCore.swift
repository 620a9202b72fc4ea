import AlertCore
import FobBase
import Foundation
import Sinks
import Synchronization
import WireProtocol

@testable import Bridge

/// A core on another host without the other host: every batch, answer and signal goes through its
/// JSON form, and the way between the two can be cut.
final class LoopbackCore: CoreClient {
  private struct State {
    var feedServer: FeedServer?
    var isCut = false
    var losesAnswers = false
    var losesPosts = false
    var takesStreams = true
    var streams = 0
    var end: (@Sendable (RemoteCoreFailure) -> Void)?
    var posts = 0
    var posted: [FeedBatch] = []
    var onEvent: (@Sendable (ServerEvent) -> Void)?
  }

  private let state = Mutex(State())
  let place = "loopback"

  private static let failure = RemoteCoreFailure(.unreachable, "the loopback is cut")

  init(_ feedServer: FeedServer) { self.feedServer = feedServer }

  /// The core that runs now; nil: none.
  var feedServer: FeedServer? {
    get { state.withLock { $0.feedServer } }
    set {
      state.withLock { $0.feedServer = newValue }
      if newValue == nil { endStream() }
    }
  }

  var posts: Int { state.withLock { $0.posts } }

  /// Every event that the bridge has posted, whether it arrived or not.
  var events: [EventIdentity] {
    state.withLock { state in
      state.posted.flatMap(\.inputs).filter { $0.kind == .event }.compactMap { input in
        [UInt8](input.payload).withUnsafeBytes { EventRecord($0)?.identity }
      }
    }
  }

  /// Says to the bridge what the core has not said.
  func forge(_ signal: FeedSignal) {
    let (name, data) = signal.event
    state.withLock { $0.onEvent }?(ServerEvent(name: name, data: data))
  }

  /// Opened so far.
  var streams: Int { state.withLock { $0.streams } }

  var losesPosts: Bool {
    get { state.withLock { $0.losesPosts } }
    set { state.withLock { $0.losesPosts = newValue } }
  }

  var losesAnswers: Bool {
    get { state.withLock { $0.losesAnswers } }
    set { state.withLock { $0.losesAnswers = newValue } }
  }

  /// False: an open stream ends, and no other is let in.
  var takesStreams: Bool {
    get { state.withLock { $0.takesStreams } }
    set {
      state.withLock { $0.takesStreams = newValue }
      if !newValue { endStream() }
    }
  }

  /// Nothing passes; an open stream says nothing more, as when a cable is pulled.
  var isCut: Bool {
    get { state.withLock { $0.isCut } }
    set {
      state.withLock { $0.isCut = newValue }
      if !newValue { endStream() }
    }
  }

  func post(
    _ path: String, _ body: [UInt8], within: Interval,
    answer: @escaping @Sendable (RemoteCore.Outcome) -> Void
  ) {
    let (feedServer, loses) = state.withLock { state in
      state.posts += 1
      if let batch = try? JSONDecoder().decode(FeedBatch.self, from: Data(body)) {
        state.posted.append(batch)
      }
      return (state.isCut || state.losesPosts ? nil : state.feedServer, state.losesAnswers)
    }
    guard let feedServer else { return answer(.failure(Self.failure)) }
    do {
      let batch = try JSONDecoder().decode(FeedBatch.self, from: Data(body))
      try feedServer.take(batch, of: "token") { done in
        let bytes = Array(try! JSONEncoder().encode(done))
        answer(loses ? .failure(Self.failure) : .success(bytes))
      }
    } catch {
      answer(.failure(RemoteCoreFailure(.refused(422), "\(error)")))
    }
  }

  func stream(
    _ path: String, onEvent: @escaping @Sendable (ServerEvent) -> Void,
    onEnd: @escaping @Sendable (RemoteCoreFailure) -> Void
  ) {
    guard
      let feedServer = state.withLock({ $0.isCut || !$0.takesStreams ? nil : $0.feedServer }),
      let name = path.split(separator: "=").last
    else { return onEnd(Self.failure) }
    state.withLock { state in
      state.end = onEnd
      state.onEvent = onEvent
      state.streams += 1
    }
    _ = try? feedServer.open(for: String(name), of: "token") { [weak self] signal in
      guard let self, let signal, takesStreams else {
        self?.endStream()
        return false
      }
      if !isCut {
        let (name, data) = signal.event
        onEvent(ServerEvent(name: name, data: data))
      }
      return true
    }
  }

  func close() { endStream() }

  func endStream() {
    let end = state.withLock { state in
      defer { state.end = nil }
      return state.end
    }
    end?(Self.failure)
  }
}
