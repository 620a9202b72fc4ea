import AlertCore
import FobBase
import Glibc
import SerialIO
import Synchronization
import Testing

/// One answer that comes on another thread.
final class Waiting<Value: Sendable>: Sendable {
  private let value = Mutex<Value?>(nil)
  private let signal: EventSignal

  init() throws { signal = try EventSignal() }

  func put(_ new: Value) {
    value.withLock { $0 = new }
    signal.signal()
  }

  func get(at location: SourceLocation = #_sourceLocation) throws -> Value {
    let deadline = BootClock.now() + .seconds(10)
    let events = try Syscall.poll(signal.descriptor, for: POLLIN, until: deadline)
    try #require(events != 0, "no answer within 10 s", sourceLocation: location)
    return try #require(value.withLock { $0 })
  }
}

extension Waiting where Value == Answer {
  static func answer(_ ask: (@escaping @Sendable (Answer) -> Void) -> Void) throws -> Answer {
    let waiting = try Waiting()
    ask { waiting.put($0) }
    return try waiting.get()
  }
}
