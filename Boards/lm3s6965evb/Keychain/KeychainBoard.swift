import Firmware
import FobBase
import WireProtocol

/// The LM3S6965 evaluation board as the firmware sees it.
struct KeychainBoard: Board {
  let deviceID: DeviceID
  let bootNonce: UInt32
  let resetCause: ResetCause

  /// Starts the hardware.
  init() {
    resetCause = SystemControl.takeResetCause()
    SystemControl.start()
    Pins.start()
    I2CBus.begin()
    SystemClock.start()
    LinkPort.start()
    GPSPort.start()
    Button.start()
    let serial = Identity.serial()
    deviceID = .bench(serial)
    bootNonce = Identity.newNonce(serial: serial)
  }

  func now() -> Instant { SystemClock.now() }
  func nextButtonEdge() -> ButtonEdge? { Button.next() }
  func isButtonClosed() -> Bool { Button.isClosed() }
  func setLED(_ on: Bool) { Pins.setLight(on) }
  func setSounder(_ on: Bool) { Pins.setSpeaker(on) }
  func batteryMillivolts() -> UInt16 { BatteryMonitor.millivolts() }
  func nextGPSByte() -> UInt8? { GPSPort.next() }
  func readLink(_ buffer: UnsafeMutableRawBufferPointer) -> Int { LinkPort.read(buffer) }
  func writeLink(_ bytes: UnsafeRawBufferPointer) -> Int { LinkPort.write(bytes) }

  func readStore(at offset: Int, _ buffer: UnsafeMutableRawBufferPointer) -> Bool {
    EEPROM.read(at: offset, buffer)
  }

  func writeStore(at offset: Int, _ bytes: UnsafeRawBufferPointer) -> Bool {
    EEPROM.write(at: offset, bytes)
  }
}
