import FobBase
import SerialIO

/// The board behind a line in memory, on a thread that it shares with others of its fleet.
final class MemoryTransport: DeviceTransport {
  let spec: DeviceSpec
  let endpoint: MemoryEndpoint
  private var host: MemoryLine?

  init(name: String, poke: @escaping @Sendable () -> Void) {
    spec = DeviceSpec(.memory(name: name))
    endpoint = MemoryEndpoint(name: name, poke: poke)
    endpoint.setOpen()
  }

  deinit { endpoint.close() }

  var isPluggedIn: Bool { endpoint.isOpen }
  var hostIsPresent: Bool { host != nil }
  /// Nothing to poll: who writes pokes.
  var descriptor: Int32 { -1 }
  var nextDue: Instant? { host?.nextWake }

  func plugIn() { endpoint.setOpen() }

  func pullOut() {
    host = nil
    endpoint.close()
  }

  /// A host that has left and one that comes are never seen in the same look, so that the leaving
  /// is told.
  func look() {
    let present = endpoint.host
    if let host, host !== present {
      self.host = nil
      return
    }
    host = present
    host?.serve(at: BootClock.now())
  }

  func read(_ buffer: UnsafeMutableRawBufferPointer) -> Int { host?.read(into: buffer) ?? 0 }

  func write(_ bytes: UnsafeRawBufferPointer) -> Int {
    host?.deliver(bytes)
    return bytes.count
  }
}
