import AlertCore
import FobBase
import WireProtocol

/// A process's ends of the keychains' lines, wired as the bridge wires them.
final class LineEnds {
  /// One each keychain's line.
  var sessions: [HostSession]
  /// What is held back for a line that does not take it: whole frames.
  var outboxes: [[UInt8]]

  init(lines: Int) {
    sessions = (0..<lines).map {
      HostSession(
        LinkID(rawValue: $0), software: SoftwareVersion(major: 0, minor: 1, patch: 0))
    }
    outboxes = Array(repeating: [], count: lines)
  }

  /// When a session wants to be woken, on the process's clock.
  var nextWake: Instant {
    var due = Instant.never
    sessions.withUnsafeMutableBufferPointer { sessions in
      for index in sessions.indices { due = min(due, sessions[index].nextWake ?? .never) }
    }
    return due
  }
}
