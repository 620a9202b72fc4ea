import FobBase
import Storage
import TestSupport
import WireProtocol

@testable import AlertCore

extension Moment {
  static let zero = Moment(boot: 1, instant: Instant(microseconds: 0), wall: 0)
}

extension Changes {
  static func of(_ log: [Happening]) -> Changes {
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

extension Happening {
  private static let devices = (1...4 as ClosedRange<UInt32>).map { DeviceID.bench($0) }

  fileprivate static let incidents = (1...3 as ClosedRange<UInt32>).map {
    IncidentID(.press($0, of: .bench(0)))
  }

  /// Of few devices and incidents, so that they meet.
  static func random(_ random: inout SeededGenerator) -> Happening {
    let device = devices.randomElement(using: &random)!
    var happening =
      Bool.random(using: &random)
      ? Happening(.pressAdded, at: .zero, of: .press(1, of: device))
      : Happening(.stateChanged, at: .zero)
    if Int.random(in: 0..<4, using: &random) > 0 {
      happening.incident = incidents.randomElement(using: &random)!
    }
    return happening
  }

  /// For every device with every incident a line, by which a reader knows the end.
  static var closing: [Happening] {
    devices.flatMap { device in
      incidents.map { incident in
        var happening = Happening(.resumed, at: .zero, of: .press(1, of: device))
        happening.incident = incident
        return happening
      }
    }
  }
}

extension LogLine {
  var isClosing: Bool { name == Happening.Name.resumed.rawValue }
}

extension LogFilter {
  /// Every kind of filter on `Happening.random`.
  static var some: [LogFilter] {
    let incidents = Happening.incidents.map(\.description)
    let devices = (1...4 as ClosedRange<UInt32>).map { DeviceID.bench($0).text }
    return [LogFilter()] + incidents.map { LogFilter(incident: $0) }
      + devices.map { LogFilter(device: $0) }
      + [LogFilter(device: devices[0], incident: incidents[0])]
  }
}
