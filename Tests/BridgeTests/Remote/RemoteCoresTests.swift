import FobBase
import Sinks
import Synchronization
import Testing

@testable import Bridge

/// A bridge that knows several cores talks to the one that serves.
@Suite struct RemoteCoresTests {
  /// It answers each post at once, as it is told.
  private final class ScriptedCore: CoreClient {
    private struct State {
      var failure: RemoteCoreFailure?
      var posts = 0
      var end: (@Sendable (RemoteCoreFailure) -> Void)?
    }

    let place: String
    private let state = Mutex(State())

    init(_ place: String, failing kind: RemoteCoreFailure.Kind? = nil) {
      self.place = place
      fail(kind)
    }

    /// - Parameter kind: nil: it serves.
    func fail(_ kind: RemoteCoreFailure.Kind?) {
      state.withLock { $0.failure = kind.map { RemoteCoreFailure($0, "\(place) fails") } }
    }

    var posts: Int { state.withLock { $0.posts } }
    var hasStream: Bool { state.withLock { $0.end != nil } }

    func post(
      _ path: String, _ body: [UInt8], within: Interval,
      answer: @escaping @Sendable (RemoteCore.Outcome) -> Void
    ) {
      let failure = state.withLock { state in
        state.posts += 1
        return state.failure
      }
      answer(failure.map { .failure($0) } ?? .success([]))
    }

    func stream(
      _ path: String, onEvent: @escaping @Sendable (ServerEvent) -> Void,
      onEnd: @escaping @Sendable (RemoteCoreFailure) -> Void
    ) {
      let failure = state.withLock { state in
        if state.failure == nil { state.end = onEnd }
        return state.failure
      }
      if let failure { onEnd(failure) }
    }

    func endStream() {
      state.withLock { $0.end.take() }?(RemoteCoreFailure(.unreachable, "\(place) ends it"))
    }

    func close() { endStream() }
  }

  private static func post(to cores: RemoteCores) -> RemoteCore.Outcome? {
    let outcome = Mutex<RemoteCore.Outcome?>(nil)
    cores.post("/v1/feed", [], within: .seconds(1)) { answer in
      outcome.withLock { $0 = answer }
    }
    return outcome.withLock { $0 }
  }

  private static func stream(of cores: RemoteCores) {
    cores.stream("/v1/feed/stream") { _ in
    } onEnd: { _ in
    }
  }

  @Test(
    arguments: [.unreachable, .refused(503), .token] as [RemoteCoreFailure.Kind])
  func `a core that does not serve is left for the next, and the one that serves is kept`(
    kind: RemoteCoreFailure.Kind
  ) throws {
    let (a, b) = (ScriptedCore("a", failing: kind), ScriptedCore("b"))
    let cores = RemoteCores([a, b])
    #expect(throws: RemoteCoreFailure.self) { try Self.post(to: cores)?.get() }
    for _ in 1...3 { #expect(try Self.post(to: cores)?.get() == []) }
    #expect(a.posts == 1 && b.posts == 3)
    #expect(cores.place == "b")
  }

  @Test func `a core that takes no post has no stream either, so that acks come by the next`()
    throws
  {
    let (a, b) = (ScriptedCore("a"), ScriptedCore("b"))
    let cores = RemoteCores([a, b])
    Self.stream(of: cores)
    #expect(a.hasStream)
    a.fail(.unreachable)
    _ = Self.post(to: cores)
    #expect(!a.hasStream)
    Self.stream(of: cores)
    #expect(b.hasStream && cores.place == "b")
  }

  @Test func `a stream that ends leads to the next core, and round to the first`() {
    let (a, b) = (ScriptedCore("a"), ScriptedCore("b", failing: .refused(503)))
    let cores = RemoteCores([a, b])
    Self.stream(of: cores)
    a.endStream()
    #expect(cores.place == "b")
    Self.stream(of: cores)
    #expect(cores.place == "a", "b stands by")
    Self.stream(of: cores)
    #expect(a.hasStream)
  }

  @Test func `what every core would refuse, and one core alone, are no reason to leave it`() {
    let (a, b) = (ScriptedCore("a", failing: .refused(422)), ScriptedCore("b"))
    let cores = RemoteCores([a, b])
    _ = Self.post(to: cores)
    #expect(cores.place == "a" && b.posts == 0)
    let one = RemoteCores([a])
    Self.stream(of: one)
    #expect(one.place == "a")
  }

  @Test func `late news of a core that was left already changes nothing`() {
    let (a, b) = (ScriptedCore("a"), ScriptedCore("b"))
    let cores = RemoteCores([a, b])
    Self.stream(of: cores)
    a.fail(.unreachable)
    _ = Self.post(to: cores)
    #expect(cores.place == "b")
    a.endStream()
    #expect(cores.place == "b")
  }
}
