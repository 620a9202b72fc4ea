import FobBase
import Storage
import TestSupport
import WireProtocol

@testable import AlertCore

extension Timestamp {
  static let zero = Timestamp(boot: 1, instant: Instant(microseconds: 0), wall: 0)
}

extension Changes {
  static func of(_ log: [AuditEvent]) -> Changes {
    var changes = Changes()
    changes.log = log
    return changes
  }
}

extension EventIdentity {
  static func press(_ n: UInt32, of device: DeviceID) -> EventIdentity {
    EventIdentity(
      deviceID: device, number: EventNumber(boot: 1, n: n), kind: .pressed, clock: 1, bootNonce: 1)
  }
}

extension AuditEvent {
  private static let devices = (1...4 as ClosedRange<UInt32>).map { DeviceID.bench($0) }

  fileprivate static let incidents = (1...3 as ClosedRange<UInt32>).map {
    IncidentID(.press($0, of: .bench(0)))
  }

  /// Of few devices and incidents, so that they meet.
  static func random(_ random: inout SeededGenerator) -> AuditEvent {
    let device = devices.randomElement(using: &random)!
    var auditEvent =
      Bool.random(using: &random)
      ? AuditEvent(.pressAdded, at: .zero, of: .press(1, of: device))
      : AuditEvent(.stateChanged, at: .zero)
    if Int.random(in: 0..<4, using: &random) > 0 {
      auditEvent.incident = incidents.randomElement(using: &random)!
    }
    return auditEvent
  }

  /// For every device with every incident a line, by which a reader knows the end.
  static var closing: [AuditEvent] {
    devices.flatMap { device in
      incidents.map { incident in
        var auditEvent = AuditEvent(.resumed, at: .zero, of: .press(1, of: device))
        auditEvent.incident = incident
        return auditEvent
      }
    }
  }
}

extension LogEntry {
  var isClosing: Bool { name == AuditEvent.Name.resumed.rawValue }
}

extension LogFilter {
  /// Every kind of filter on `AuditEvent.random`.
  static var some: [LogFilter] {
    let incidents = AuditEvent.incidents.map(\.description)
    let devices = (1...4 as ClosedRange<UInt32>).map { DeviceID.bench($0).text }
    return [LogFilter()] + incidents.map { LogFilter(incident: $0) }
      + devices.map { LogFilter(device: $0) }
      + [LogFilter(device: devices[0], incident: incidents[0])]
  }
}
