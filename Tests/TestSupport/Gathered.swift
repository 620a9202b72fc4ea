import Dispatch
import Synchronization
public import Testing

/// What other threads report, in order, waited for with a watchdog in place of a sleep.
public final class Gathered<Value: Sendable>: Sendable {
  private let values = Mutex<[Value]>([])
  private let reports = DispatchSemaphore(value: 0)

  public init() {}

  public var all: [Value] { values.withLock { $0 } }

  public func put(_ value: Value) { put(contentsOf: CollectionOfOne(value)) }

  public func put(contentsOf new: some Collection<Value>) {
    let new = Array(new)
    values.withLock { $0 += new }
    reports.signal()
  }

  /// What `find` makes of the values, once it makes something of them; it may take some away.
  public func take<Found: Sendable>(
    _ words: String, at location: SourceLocation = #_sourceLocation,
    _ find: (inout [Value]) -> Found?
  ) throws -> Found {
    var found: Found?
    try wait(words, at: location) {
      found = values.withLock { find(&$0) }
      return found != nil
    }
    return found!
  }

  /// Looks again whenever something was reported.
  public func wait(
    _ words: String, at location: SourceLocation = #_sourceLocation, _ isSo: () throws -> Bool
  ) throws {
    let deadline = DispatchTime.now() + .seconds(60)
    while try !isSo() {
      let isInTime = reports.wait(timeout: deadline) == .success
      try #require(isInTime, "not within 60 s: \(words)", sourceLocation: location)
    }
  }
}
