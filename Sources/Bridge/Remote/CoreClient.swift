import FobBase
import Sinks

/// The way to a core on another host. Nothing here waits.
protocol CoreClient: Sendable {
  /// For people.
  var place: String { get }
  func post(
    _ path: String, _ body: [UInt8], within: Interval,
    answer: @escaping @Sendable (RemoteCore.Outcome) -> Void)
  func stream(
    _ path: String, onEvent: @escaping @Sendable (ServerEvent) -> Void,
    onEnd: @escaping @Sendable (RemoteCoreFailure) -> Void)
  func close()
}

extension RemoteCore: CoreClient {
  var place: String { address.url }
}
