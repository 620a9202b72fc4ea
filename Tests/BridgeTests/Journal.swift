import AlertCore
import Bridge
import FobBase
import Glibc
import SerialIO
import Synchronization
import Testing
import WireProtocol

/// What a bridge has told, in order, waited for with a watchdog in place of a sleep.
final class Journal: Sendable {
  private let entries = Mutex<[BridgeEvent]>([])
  private let signal: EventSignal

  init() throws { signal = try EventSignal() }

  func add(_ event: BridgeEvent) {
    entries.withLock { $0.append(event) }
    signal.signal()
  }

  var all: [BridgeEvent] { entries.withLock { $0 } }

  var happenings: [Happening] {
    all.compactMap { if case .happening(let happening) = $0 { happening } else { nil } }
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

  func count(_ name: Happening.Name) -> Int { happenings.count { $0.name == name } }

  func wait(
    _ name: Happening.Name, _ count: Int = 1, at location: SourceLocation = #_sourceLocation
  ) throws {
    try wait("\(name) \(count) times", at: location) { self.count(name) >= count }
  }

  func waitForLight(
    _ shown: ShownState, at location: SourceLocation = #_sourceLocation
  ) throws {
    try wait("the light says \(shown)", at: location) { lights.last == shown }
  }

  /// Looks again at everything whenever something was told.
  func wait(
    _ words: String, at location: SourceLocation = #_sourceLocation, _ isSo: () throws -> Bool
  ) throws {
    let deadline = BootClock.now() + .seconds(10)
    while try !isSo() {
      let events = try Syscall.poll(signal.descriptor, for: POLLIN, until: deadline)
      try #require(events != 0, "not within 10 s: \(words)", sourceLocation: location)
      signal.clear()
    }
  }
}
