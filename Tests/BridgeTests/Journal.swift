import AlertCore
import Bridge
import TestSupport
import Testing
import WireProtocol

/// What a bridge has told.
typealias Journal = Gathered<BridgeEvent>

extension Gathered where Value == BridgeEvent {
  var auditEvents: [AuditEvent] {
    all.compactMap { if case .auditEvent(let auditEvent) = $0 { auditEvent } else { nil } }
  }

  var notices: [String] {
    all.compactMap { if case .notice(let notice) = $0 { notice.text } else { nil } }
  }

  var lights: [ShownState] {
    all.compactMap { if case .led(_, let led) = $0 { led.shown } else { nil } }
  }

  var stages: [PressStages] {
    all.compactMap { if case .stages(let stages) = $0 { stages } else { nil } }
  }

  func count(_ name: AuditEvent.Name) -> Int { auditEvents.count { $0.name == name } }

  func wait(
    _ name: AuditEvent.Name, _ count: Int = 1, at location: SourceLocation = #_sourceLocation
  ) throws {
    try wait("\(name) \(count) times", at: location) { self.count(name) >= count }
  }

  func waitForLight(
    _ shown: ShownState, at location: SourceLocation = #_sourceLocation
  ) throws {
    try wait("the light says \(shown)", at: location) { lights.last == shown }
  }
}
