import CLinux
import FobBase
import Glibc
import SerialIO
import WireProtocol

/// The bytes of the EEPROM of a board in QEMU: a file, or memory that ends with the emulator.
///
/// QEMU opens it by our descriptor, so that it gets the very file that is locked. QEMU writes each
/// byte at once, and the kernel keeps the bytes when QEMU is killed.
final class EEPROMFile: QEMUStore {
  private static let serialCell = 8_176
  private let file: OwnedDescriptor

  /// - Parameter path: a file that is made if it is missing; nil keeps everything in memory.
  /// - Throws: `IOFailure`; EBUSY if another emulator holds the file, EINVAL if it has another
  ///   size than the EEPROM.
  init(path: String?) throws(IOFailure) {
    let size = LM3S6965.storeSize
    let file = try Self.open(path)
    let name = file.path
    let number = file.number
    guard try file.lockExclusively() else {
      throw IOFailure("use", errno: EBUSY, path: name, reason: "another emulator holds it")
    }
    let length = try Syscall.run("measure", name) { lseek(number, 0, SEEK_END) }
    guard length == 0 || length == size else {
      throw IOFailure(
        "use", errno: EINVAL, path: name,
        reason: "it is not a keychain's store, which has \(size) bytes and not \(length)")
    }
    try Syscall.run("make room in", name) { ftruncate(number, off_t(size)) }
    self.file = consume file
  }

  private static func open(_ path: String?) throws(IOFailure) -> OwnedDescriptor {
    if let path { return try Syscall.open(path, O_RDWR | O_CREAT, mode: 0o600) }
    return OwnedDescriptor(
      owning: try Syscall.run("create", "a file in memory") { clinux_memory_file() },
      path: "a file in memory")
  }

  /// Writes the serial into the cell that the firmware reads its identity from.
  func provision(serial: UInt32) throws(IOFailure) {
    try write(withUnsafeBytes(of: serial.littleEndian) { Array($0) }, at: Self.serialCell)
  }

  /// As of `BoardStore`.
  func provision(_ key: PairingKey) throws(IOFailure) {
    let number = file.number
    try FactoryKey.write(key, file.path) { image in
      pread(number, image.baseAddress, image.count, 0) == image.count
    } write: { image in
      pwrite(number, image.baseAddress, image.count, 0) == image.count
    }
  }

  /// QEMU gets the descriptor under its number, and a name for it.
  func makeBoard(firmware: String) throws(IOFailure) -> any QEMUBoard {
    try LM3S6965(
      firmware: firmware, store: "/dev/fd/\(file.number)", passing: [file.number])
  }

  private func write(_ bytes: [UInt8], at offset: Int) throws(IOFailure) {
    let number = file.number
    _ = try Syscall.run("write to", file.path) {
      bytes.withUnsafeBytes { pwrite(number, $0.baseAddress, $0.count, off_t(offset)) }
    }
  }
}
