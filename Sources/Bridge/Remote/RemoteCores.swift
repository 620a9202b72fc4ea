import FobBase
import Sinks
import Synchronization

/// Several cores, of which one leads. Everything goes to the one that served last; where that one
/// does not serve, to the next. What a core has not committed stays on the keychains, so nothing
/// is lost between two of them.
final class RemoteCores: CoreClient {
  private let cores: [any CoreClient]
  private let current = Mutex(0)

  /// - Parameter cores: at least one.
  init(_ cores: [any CoreClient]) { self.cores = cores }

  var place: String { cores[current.withLock { $0 }].place }

  func post(
    _ path: String, _ body: [UInt8], within: Interval,
    answer: @escaping @Sendable (RemoteCore.Outcome) -> Void
  ) {
    let index = current.withLock { $0 }
    cores[index].post(path, body, within: within) { [self] outcome in
      if case .failure(let failure) = outcome, failure.isOfOneCore, leave(index) {
        // Acks and lights come by the stream: it must not stay with a core that takes no post.
        cores[index].endStream()
      }
      answer(outcome)
    }
  }

  func stream(
    _ path: String, onEvent: @escaping @Sendable (ServerEvent) -> Void,
    onEnd: @escaping @Sendable (RemoteCoreFailure) -> Void
  ) {
    let index = current.withLock { $0 }
    cores[index].stream(path, onEvent: onEvent) { [self] failure in
      leave(index)
      onEnd(failure)
    }
  }

  func endStream() { for core in cores { core.endStream() } }

  func close() { for core in cores { core.close() } }

  /// - Returns: whether there is another core, to which this one was left now.
  @discardableResult
  private func leave(_ index: Int) -> Bool {
    current.withLock { current in
      guard current == index, cores.count > 1 else { return false }
      current = (index + 1) % cores.count
      return true
    }
  }
}

extension RemoteCoreFailure {
  /// Another core may do what this one has not done.
  fileprivate var isOfOneCore: Bool {
    switch kind {
    case .unreachable, .token: true
    case .refused(let status): status >= 500
    case .configuration: false
    }
  }
}
