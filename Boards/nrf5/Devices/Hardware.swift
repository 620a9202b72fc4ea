import CortexM
import Firmware
import FobBase

/// What is started before the keychain.
enum Hardware {
  static func start() {
    SystemControl.start()
    Pins.start()
    LinkPort.start()
    GPSPort.start()
    Tick.start()
  }
}

/// The store, on flash. A page is erased only while the button is open, nothing due, and the link
/// quiet; bytes of a link that is never quiet are lost once there is hardly room left, and its host
/// sends them again.
struct StoreMemory {
  /// Between two erasures, so that between them the link is heard again.
  private static let pause = Interval.milliseconds(250)
  private static let quiet: UInt32 = 100

  private var flash: FlashStore<StoreFlash>
  private var nextTidy = Instant(microseconds: 0)

  init() {
    precondition(Keychain.storeSize <= STORE_MIRROR_SIZE && Keychain.storeSize % 4 == 0)
    flash = FlashStore(
      StoreFlash(),
      mirror: UnsafeMutableRawBufferPointer(start: store_mirror(), count: Keychain.storeSize))
  }

  func read(at offset: Int, _ buffer: UnsafeMutableRawBufferPointer) -> Bool {
    flash.read(at: offset, buffer)
  }

  mutating func write(at offset: Int, _ bytes: UnsafeRawBufferPointer) -> Bool {
    flash.write(at: offset, bytes)
  }

  mutating func tidy() { _ = flash.tidy() }

  mutating func tidy(before wake: Instant) {
    let now = SystemClock.now()
    guard now >= nextTidy, wake > now + .milliseconds(Wiring.eraseMilliseconds),
      LinkPort.quietMilliseconds >= Self.quiet || flash.isNearlyFull, !Button.isClosed()
    else { return }
    tidy()
    nextTidy = now + Self.pause
  }
}
