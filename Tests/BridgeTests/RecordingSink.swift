import AlertCore
import FobBase
import Glibc
import SerialIO
import Sinks
import Synchronization
import Testing

/// A notification channel that notes what it was given, and refuses or keeps waiting whom it is
/// told to.
final class RecordingSink: Sink {
  let name: String
  let width: Int
  let isTest = true
  /// Nil: everybody.
  private let reached: Set<String>?
  private let state: Mutex<State>
  private let open: EventSignal
  private let isTried: EventSignal

  private struct State {
    var refusals: Int
    var tried: [OutgoingMessage] = []
    var taken: [OutgoingMessage] = []
  }

  /// - Parameters:
  ///   - refusals: how many messages it refuses before it takes any.
  ///   - isOpen: whether it answers before `letGo()`.
  ///   - reached: the contacts that it can tell; nil for everybody.
  init(
    _ name: String = "recording", refusals: Int = 0, isOpen: Bool = true, width: Int = 1,
    reaching reached: Set<String>? = nil
  ) throws {
    self.name = name
    self.width = width
    self.reached = reached
    state = Mutex(State(refusals: refusals))
    isTried = try EventSignal()
    let open = try EventSignal()
    if isOpen { open.signal() }
    self.open = open
  }

  var taken: [OutgoingMessage] { state.withLock { $0.taken } }
  var tried: [OutgoingMessage] { state.withLock { $0.tried } }

  func letGo() { open.signal() }

  /// Waits for the first message that is brought here.
  func waitUntilTried() throws {
    let deadline = BootClock.now() + .seconds(10)
    let events = try Syscall.poll(isTried.descriptor, for: POLLIN, until: deadline)
    try #require(events != 0, "no message within 10 s")
  }

  func obstacle(to contact: Contact) -> String? {
    reached.map { $0.contains(contact.id) ? nil : "is not in reach" } ?? nil
  }

  func deliver(_ message: OutgoingMessage) throws(SinkFailure) {
    state.withLock { $0.tried.append(message) }
    isTried.signal()
    _ = try? Syscall.poll(open.descriptor, for: POLLIN, until: BootClock.now() + .seconds(10))
    let isRefused = state.withLock { state in
      guard state.refusals == 0 else {
        state.refusals -= 1
        return true
      }
      state.taken.append(message)
      return false
    }
    if isRefused { throw SinkFailure(sink: name, reason: "not now") }
  }
}
