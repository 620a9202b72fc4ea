import FobBase
import Glibc
import SerialIO
import Synchronization
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
  }

  private let entries = Mutex<[Entry]>([])
  private let signal: EventSignal

  init() throws { signal = try EventSignal() }

  var handlers: DeviceLineHandlers {
    DeviceLineHandlers(
      onOpen: { [self] _ in put(.opened) },
      onBytes: { [self] bytes, _ in put(.bytes(Array(bytes))) },
      nextWake: { nil },
      onWake: { [self] _ in put(.woke) },
      onGone: { [self] in put(.gone($0)) },
      onUnavailable: { [self] in put(.unavailable($0.description)) })
  }

  func put(_ entry: Entry) {
    entries.withLock { $0.append(entry) }
    signal.signal()
  }

  var all: [Entry] { entries.withLock { $0 } }

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
    let deadline = BootClock.now() + .seconds(10)
    while true {
      let isHere = entries.withLock { entries in
        while !entries.isEmpty { if isWanted(entries.removeFirst()) { return true } }
        return false
      }
      if isHere { return }
      let events = try Syscall.poll(signal.descriptor, for: POLLIN, until: deadline)
      try #require(events != 0, "not within 10 s: \(words)")
      signal.clear()
    }
  }
}
