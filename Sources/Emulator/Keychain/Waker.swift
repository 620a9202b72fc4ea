import SerialIO

/// Wakes the thread of a keychain, from any thread.
protocol Waker: Sendable {
  func ring()
}

/// The waker of a thread that has one keychain and polls.
final class PolledWaker: Waker {
  private let signal: EventSignal

  init() throws(IOFailure) { signal = try EventSignal() }

  var descriptor: Int32 { signal.descriptor }
  func ring() { signal.signal() }
  func clear() { signal.clear() }
}
