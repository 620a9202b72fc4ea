import SerialIO
import TestSupport
import Testing
import Transport

/// What a line has told, in order, waited for with a watchdog in place of a sleep.
final class Journal: Sendable {
  enum Entry: Equatable, Sendable {
    case opened
    case bytes([UInt8])
    case woke
    case gone(GoneReason)
    case unavailable(String)
    case restored
  }

  private let entries = Gathered<Entry>()

  var handlers: DeviceLineHandlers {
    DeviceLineHandlers(
      onOpen: { [entries] _ in entries.put(.opened) },
      onBytes: { [entries] bytes, _ in entries.put(.bytes(Array(bytes))) },
      nextWake: { nil },
      onWake: { [entries] _ in entries.put(.woke) },
      onGone: { [entries] in entries.put(.gone($0)) },
      onUnavailable: { [entries] in entries.put(.unavailable($0.description)) },
      onModeRestored: { [entries] in entries.put(.restored) })
  }

  var all: [Entry] { entries.all }

  /// Waits for the next entry that is this one; what came before it is passed over.
  func await(_ wanted: Entry) throws { try self.await("\(wanted)") { $0 == wanted } }

  /// All bytes so far and to come, until there are `count`.
  func bytes(_ count: Int) throws -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < count {
      try self.await("\(count) bytes") { entry in
        guard case .bytes(let more) = entry else { return false }
        bytes += more
        return true
      }
    }
    return bytes
  }

  private func await(_ words: String, _ isWanted: (Entry) -> Bool) throws {
    _ = try entries.take(words) { entries -> Bool? in
      while !entries.isEmpty { if isWanted(entries.removeFirst()) { return true } }
      return nil
    }
  }
}
