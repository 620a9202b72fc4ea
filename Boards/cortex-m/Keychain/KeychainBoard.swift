import Firmware
import FobBase
import WireProtocol

/// A board as the firmware sees it. What it is made of differs, by the same names: Hardware, Pins,
/// LinkPort, GPSPort, BatteryMonitor, Identity, StoreMemory, SystemClock, SystemControl, Watchdog.
struct KeychainBoard: Board {
  let deviceID: DeviceID
  let bootNonce: UInt32
  let resetCause: ResetCause
  private(set) var store: StoreMemory

  /// Starts the hardware.
  init() {
    resetCause = SystemControl.takeResetCause()
    Hardware.start()
    SystemClock.start()
    Button.start()
    store = StoreMemory()
    let serial = Identity.serial()
    deviceID = .bench(serial)
    bootNonce = Identity.newNonce(serial: serial)
  }

  func now() -> Instant { SystemClock.now() }
  func nextButtonEdge() -> ButtonEdge? { Button.next() }
  func isButtonClosed() -> Bool { Button.isClosed() }
  func setLED(_ on: Bool) { Pins.setLight(on) }
  func setSounder(_ on: Bool) { Pins.setSpeaker(on) }
  func batteryMillivolts() -> UInt16? { BatteryMonitor.millivolts() }
  var hasGPS: Bool { GPSPort.isPresent }
  func nextGPSByte() -> UInt8? { GPSPort.next() }
  func readLink(_ buffer: UnsafeMutableRawBufferPointer) -> Int { LinkPort.read(buffer) }
  func writeLink(_ bytes: UnsafeRawBufferPointer) -> Int { LinkPort.write(bytes) }

  func readStore(at offset: Int, _ buffer: UnsafeMutableRawBufferPointer) -> Bool {
    store.read(at: offset, buffer)
  }

  mutating func writeStore(at offset: Int, _ bytes: UnsafeRawBufferPointer) -> Bool {
    store.write(at: offset, bytes)
  }

  /// Nothing waits, and nothing will before `wake`.
  mutating func tidyStore(before wake: Instant) { store.tidy(before: wake) }
}
