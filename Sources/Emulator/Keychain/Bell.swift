import SerialIO

/// Wakes the thread of a keychain, from any thread.
protocol Bell: Sendable {
  func ring()
}

/// The bell of a thread that has one keychain and polls.
final class PolledBell: Bell {
  private let signal: EventSignal

  init() throws(IOFailure) { signal = try EventSignal() }

  var descriptor: Int32 { signal.descriptor }
  func ring() { signal.signal() }
  func clear() { signal.clear() }
}
