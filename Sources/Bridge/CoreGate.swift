import AlertCore
import Control
import FobBase
import Transport
import WireProtocol

/// The core as a device's session sees it: in this process, or on another host.
protocol CoreGate: AnyObject, Sendable {
  /// Hands one input to the core.
  /// - Returns: when the core had decided, or when the input was on its way to it.
  @discardableResult
  func handle(_ input: CoreInput) -> Instant

  /// What a device is to show; nil while the core cannot be asked.
  func shown(on link: LinkID) -> Indication?
  var stages: StageRecorder { get }
  var tap: LineTap { get }
  /// What is asked of the system for the devices' lines and their readers.
  var tuning: LineTuning { get }
  func tell(_ event: BridgeEvent)
}

extension CoreGate {
  func notice(_ level: BridgeEvent.Notice.Level, _ text: String) {
    tell(.notice(level, text))
  }
}
