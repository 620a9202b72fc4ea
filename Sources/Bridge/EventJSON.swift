import AlertCore
import WireProtocol

/// A `BridgeEvent` as one line of JSON: `type` and, under the same name, what it is about.
public struct EventJSON: Encodable, Sendable {
  private let type: String
  private var happening: AuditEvent?
  private var notice: BridgeEvent.Notice?
  private var stages: PressStages?
  private var led: LED?
  private var located: Located?

  private struct LED: Encodable, Sendable {
    let device: String
    let shown: String
    let sounder: Bool
  }

  private struct Located: Encodable, Sendable {
    let device: String
    /// 1e-7 degree.
    let latitude: Int32
    let longitude: Int32
    /// none, weak or good.
    let quality: String
  }

  public init(_ event: BridgeEvent) {
    switch event {
    case .auditEvent(let auditEvent):
      type = "happening"
      happening = auditEvent
    case .notice(let notice):
      type = "notice"
      self.notice = notice
    case .stages(let stages):
      type = "stages"
      self.stages = stages
    case .led(let device, let state):
      type = "led"
      led = LED(
        device: device, shown: state.shown.map { "\($0)" } ?? "unknown", sounder: state.sounder)
    case .located(let device, let fix):
      type = "located"
      located = Located(
        device: device, latitude: fix.latitude, longitude: fix.longitude,
        quality: "\(fix.quality)")
    }
  }
}
