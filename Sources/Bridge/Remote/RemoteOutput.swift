import AlertCore
import FobBase
import WireProtocol

/// Receives the core's effects on devices whose lines are in another process. No call waits.
protocol RemoteOutput: AnyObject, Sendable {
  func acknowledge(_ ack: EventAck, on link: LinkID)
  /// - Parameter links: nil: all links.
  func indicate(_ indication: Indication, to links: [LinkID]?)
  /// Keychains may have other owners now.
  func renewOwners()
  /// The keys of the core as they are now.
  func use(_ table: KeyTable)
  /// Asks a device whether it has the key that its label tells.
  /// - Parameter answer: as of `DeviceSession.ask`.
  /// - Returns: why it is not asked, and nothing is called; nil: it is.
  func ask(
    for key: PairingKey, of device: DeviceID,
    answer: @escaping @Sendable (PairingTalk.End) -> Void
  ) -> PairingRefusal?
}
