import FobBase
import Glibc
import SerialIO
import Synchronization
import Testing

/// What other threads report, kept in order and waited for with a watchdog in place of a sleep.
final class Journal<Entry: Sendable>: Sendable {
  private let entries = Mutex<[Entry]>([])
  private let signal: EventSignal

  init() throws { signal = try EventSignal() }

  var all: [Entry] { entries.withLock { $0 } }

  func add(_ entry: Entry) {
    entries.withLock { $0.append(entry) }
    signal.signal()
  }

  /// What `find` makes of the entries, once it makes something of them.
  func wait<Found>(
    _ what: String, _ find: ([Entry]) -> Found?, at location: SourceLocation = #_sourceLocation
  ) throws -> Found {
    let deadline = BootClock.now() + .seconds(60)
    while true {
      if let found = find(all) { return found }
      let events = try Syscall.poll(signal.descriptor, for: POLLIN, until: deadline)
      try #require(events != 0, "\(what) did not come within 60 s", sourceLocation: location)
      signal.clear()
    }
  }

  func first(
    _ what: String, at location: SourceLocation = #_sourceLocation,
    where isWanted: (Entry) -> Bool
  ) throws -> Entry {
    try wait(what, { $0.first(where: isWanted) }, at: location)
  }
}
