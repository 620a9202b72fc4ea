import FobBase
import Storage
import TestSupport
import WireProtocol

@testable import AlertCore

extension AuditEvent {
  /// Of few devices and incidents, so that they meet.
  static func random(_ random: inout SeededGenerator) -> AuditEvent {
    var press = EventRecord.press(.random(in: 1...3, using: &random)).identity
    let incident = IncidentID(press)
    press.deviceID = .bench(.random(in: 1...4, using: &random))
    let second = Timestamp.second(.random(in: 0...1_000, using: &random))
    var auditEvent =
      Bool.random(using: &random)
      ? AuditEvent(.pressAdded, at: second, of: press)
      : AuditEvent(
        .stateChanged, at: second, .became(Transition(from: .noEmergency, to: .alertCountdown)))
    if Int.random(in: 0..<4, using: &random) > 0 { auditEvent.incident = incident }
    return auditEvent
  }
}

extension LogFilter {
  /// Every kind of filter on `AuditEvent.random`.
  static var some: [LogFilter] {
    let incidents = (1...3 as ClosedRange<UInt32>).map {
      IncidentID(EventRecord.press($0).identity).description
    }
    let devices = (1...5 as ClosedRange<UInt32>).map { DeviceID.bench($0).text }
    return [LogFilter()] + incidents.map { LogFilter(incident: $0) }
      + devices.map { LogFilter(device: $0) }
      + [LogFilter(device: devices[0], incident: incidents[0])]
  }

  /// The rule in its own words, without an index.
  func takes(_ line: LogEntry, of all: [LogEntry]) -> Bool {
    if let incident, line.incident != incident { return false }
    guard let device else { return true }
    if line.device != nil { return line.device == device }
    return all.contains {
      $0.id < line.id && $0.device == device && $0.incident != nil && $0.incident == line.incident
    }
  }
}
