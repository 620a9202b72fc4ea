import AlertCore
import WireProtocol

/// Where a core's effects on devices go whose lines are not in its process. Neither call waits.
protocol RemoteOutput: AnyObject, Sendable {
  func acknowledge(_ ack: EventAck, on link: LinkID)
  /// - Parameter links: nil: every one.
  func indicate(_ indication: Indication, to links: [LinkID]?)
}
