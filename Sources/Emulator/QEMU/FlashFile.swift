import CLinux
import Firmware
import FobBase
import Glibc
package import SerialIO
import WireProtocol

/// The flash behind a micro:bit's store in QEMU: a file, or memory that ends with the emulator.
///
/// QEMU forgets flash when it ends, and no file can stand behind it. So it is read out before each
/// frame that the host gets, and written back to each new QEMU: what was told is there, though this
/// process is killed at any moment.
///
/// ```
/// 0       a copy of the flash, 32,768 bytes; u32 magic, u32 sequence, u32 CRC-32C of all before it
/// 36,864  another copy
/// ```
/// They are written by turns, the second one first. The newest one that verifies counts. Where none
/// does, though the first one was written, the file was damaged from outside.
package final class FlashFile {
  /// Where the store is in the chip's flash, and its bytes.
  static let base: UInt32 = 0x3_8000
  static let size = 32_768
  private static let copySize = 36_864
  private static let magic: UInt32 = 0x666F_6C61
  private static let piece = 4_096

  private let file: OwnedDescriptor
  /// QEMU writes its flash here.
  private let readOut: OwnedDescriptor
  private var content = FlashContent()
  private var sequence: UInt32 = 0
  /// The lower half of the device id, which the board has outside of its store.
  package private(set) var serial: UInt32 = 1

  /// - Parameter path: a file that is made if it is missing; nil keeps everything in memory.
  /// - Throws: `IOFailure`; EBUSY if another emulator holds the file, EINVAL if it is none, or both
  ///   copies are damaged.
  package init(path: String?) throws(IOFailure) {
    let file = try Self.open(path)
    let (name, number) = (file.path, file.number)
    guard try file.lockExclusively() else {
      throw IOFailure("use", errno: EBUSY, path: name, reason: "another emulator holds it")
    }
    let length = try Syscall.run("measure", name) { lseek(number, 0, SEEK_END) }
    guard length == 0 || length == 2 * Self.copySize else {
      throw IOFailure(
        "use", errno: EINVAL, path: name,
        reason: "it is not a micro:bit's flash, which has \(2 * Self.copySize) bytes and not"
          + " \(length)")
    }
    try Syscall.run("make room in", name) { ftruncate(number, off_t(2 * Self.copySize)) }
    self.file = consume file
    readOut = try Self.memory()
    for copy in 0..<2 { takeNewer(copy) }
    guard sequence > 0 || read(copy: 0).allSatisfy({ $0 == 0 }) else {
      throw IOFailure(
        "use", errno: EINVAL, path: name,
        reason: "both copies of the flash in it are damaged, and what the keychain kept is lost:"
          + " move the file away, and a new keychain begins")
    }
  }

  private static func open(_ path: String?) throws(IOFailure) -> OwnedDescriptor {
    if let path { return try Syscall.open(path, O_RDWR | O_CREAT, mode: 0o600) }
    return try memory()
  }

  private static func memory() throws(IOFailure) -> OwnedDescriptor {
    OwnedDescriptor(
      owning: try Syscall.run("create", "a file in memory") { clinux_memory_file() },
      path: "a file in memory")
  }

  /// The file that QEMU inherits.
  var descriptor: Int32 { readOut.number }

  /// Writes the flash of a QEMU that has just started, as its firmware would: by NVMC. Fresh flash
  /// is all 0 there.
  func restore(to machine: QEMUMachine) throws(IOFailure) {
    let operation = "bring back the flash of"
    try machine.pin("writel 0x4001E504 2", operation)
    for page in 0..<Self.size / content.pageSize {
      let place = Self.base + UInt32(page * content.pageSize)
      try machine.pin("writel 0x4001E508 \(place)", operation)
    }
    try machine.pin("writel 0x4001E504 1", operation)
    for start in stride(from: 0, to: Self.size, by: Self.piece) {
      let bytes = content.bytes[start..<start + Self.piece]
      guard !bytes.allSatisfy({ $0 == 0xFF }) else { continue }
      try machine.pin(
        "write \(Self.base + UInt32(start)) \(Self.piece) 0x\(Hex.text(Array(bytes)))", operation)
    }
    try machine.pin("writel 0x4001E504 0", operation)
  }

  /// Reads the flash of a QEMU out, and writes it to the file where it has changed.
  func save(from machine: QEMUMachine) throws(IOFailure) {
    try machine.tell(
      "memsave",
      SavedMemory(
        val: Int(Self.base), size: Self.size, filename: "/dev/fd/\(readOut.number)"),
      "save the flash of")
    var bytes = [UInt8](repeating: 0, count: Self.size)
    let number = readOut.number
    let count = bytes.withUnsafeMutableBytes { pread(number, $0.baseAddress, $0.count, 0) }
    guard count == Self.size else {
      throw machine.failure("save the flash of", "it gave \(count) bytes of \(Self.size)")
    }
    guard bytes != content.bytes else { return }
    content.bytes = bytes
    try write()
  }

  private func write() throws(IOFailure) {
    sequence &+= 1
    var bytes = content.bytes
    withUnsafeBytes(of: Self.magic.littleEndian) { bytes += $0 }
    withUnsafeBytes(of: sequence.littleEndian) { bytes += $0 }
    let crc = bytes.withUnsafeBytes { CRC32C.of($0) }
    withUnsafeBytes(of: crc.littleEndian) { bytes += $0 }
    let number = file.number
    let place = off_t(Int(sequence % 2) * Self.copySize)
    let count = try Syscall.run("write to", file.path) {
      bytes.withUnsafeBytes { pwrite(number, $0.baseAddress, $0.count, place) }
    }
    guard count == bytes.count else { throw IOFailure("write to", errno: EIO, path: file.path) }
  }

  /// What is missing is 0.
  private func read(copy: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: Self.size + 12)
    let number = file.number
    let place = off_t(copy * Self.copySize)
    _ = bytes.withUnsafeMutableBytes { pread(number, $0.baseAddress, $0.count, place) }
    return bytes
  }

  private func takeNewer(_ copy: Int) {
    let bytes = read(copy: copy)
    let (magic, found, crc) = bytes.withUnsafeBytes { raw in
      (
        UInt32(littleEndian: raw.load(fromByteOffset: Self.size, as: UInt32.self)),
        UInt32(littleEndian: raw.load(fromByteOffset: Self.size + 4, as: UInt32.self)),
        UInt32(littleEndian: raw.load(fromByteOffset: Self.size + 8, as: UInt32.self))
      )
    }
    let sum = bytes.withUnsafeBytes {
      CRC32C.of(UnsafeRawBufferPointer(rebasing: $0[..<(Self.size + 8)]))
    }
    guard magic == Self.magic, crc == sum, found > sequence else { return }
    sequence = found
    content.bytes = Array(bytes[..<Self.size])
  }
}

extension FlashFile: QEMUStore {
  func provision(serial: UInt32) { self.serial = serial }

  func provision(_ key: PairingKey) throws(IOFailure) {
    let mirror = UnsafeMutableRawBufferPointer.allocate(
      byteCount: Keychain.storeSize, alignment: 8)
    defer { mirror.deallocate() }
    var store = FlashStore(content, mirror: mirror)
    try FactoryKey.write(key, file.path) {
      store.read(at: 0, $0)
    } write: {
      store.write(at: 0, $0)
    }
    try write()
  }

  func makeBoard(firmware: String) throws(IOFailure) -> any QEMUBoard {
    try NRF51(firmware: firmware, flash: self)
  }
}

/// The pages of the store, in this process.
private final class FlashContent: FlashDevice {
  let pageSize = 1_024
  let pageCount = FlashFile.size / 1_024
  /// Erased, as of a chip that was just flashed.
  var bytes = [UInt8](repeating: 0xFF, count: FlashFile.size)

  func word(at offset: Int) -> UInt32 {
    bytes.withUnsafeBytes { UInt32(littleEndian: $0.load(fromByteOffset: offset, as: UInt32.self)) }
  }

  func write(_ word: UInt32, at offset: Int) {
    let new = self.word(at: offset) & word
    bytes.withUnsafeMutableBytes {
      $0.storeBytes(of: new.littleEndian, toByteOffset: offset, as: UInt32.self)
    }
  }

  func erase(page: Int) {
    for place in page * pageSize..<(page + 1) * pageSize { bytes[place] = 0xFF }
  }
}
