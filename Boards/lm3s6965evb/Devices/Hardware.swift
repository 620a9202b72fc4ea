import FobBase

/// What is started before the keychain.
enum Hardware {
  static func start() {
    SystemControl.start()
    Pins.start()
    I2CBus.begin()
    LinkPort.start()
    GPSPort.start()
  }
}

/// The store is the EEPROM's first part. There is nothing to erase.
struct StoreMemory {
  func read(at offset: Int, _ buffer: UnsafeMutableRawBufferPointer) -> Bool {
    EEPROM.read(at: offset, buffer)
  }

  func write(at offset: Int, _ bytes: UnsafeRawBufferPointer) -> Bool {
    EEPROM.write(at: offset, bytes)
  }

  func tidy() {}
  func tidy(before wake: Instant) {}
}
