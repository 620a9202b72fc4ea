import AlertCore
import FobBase
import WireProtocol

/// The core as a device's session sees it: in this process, or on another host.
protocol CoreEndpoint: AnyObject, Sendable {
  /// Hands one input to the core.
  /// - Returns: when the core had decided, or when the input was on its way to it.
  @discardableResult
  func handle(_ input: CoreInput) -> Instant

  /// What a device is to show; nil while the core cannot be asked.
  func shown(on link: LinkID) -> Indication?
}
