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
/// The file has two copies of it (``FlashCopy``), which are written by turns, the second one first.
/// The newest one counts. A file that was damaged from outside, so that this one may be lost, is
/// refused: with an older state the keychain would give the numbers of presses that it has told to
/// others.
package final class FlashFile {
  /// Where the store is in the chip's flash, and its bytes.
  static let base: UInt32 = 0x3_8000
  static let size = FlashCopy.flashSize
  private static let piece = 4_096

  private let file: OwnedDescriptor
  /// QEMU writes its flash here.
  private let readOut: OwnedDescriptor
  private let content = FlashContent()
  private var sequence: UInt32 = 0
  /// The lower half of the device id, which the board has outside of its store.
  package private(set) var serial: UInt32 = 1

  /// - Parameter path: a file that is made if it is missing; nil keeps everything in memory.
  /// - Throws: `IOFailure`; EBUSY if another emulator holds the file, EINVAL if it is none, or the
  ///   newest copy may be damaged.
  package init(path: String?) throws(IOFailure) {
    let file = try Self.open(path)
    let (name, number) = (file.path, file.number)
    guard try file.lockExclusively() else {
      throw IOFailure("use", errno: EBUSY, path: name, reason: "another emulator holds it")
    }
    let length = try Syscall.run("measure", name) { lseek(number, 0, SEEK_END) }
    guard length == 0 || length == 2 * FlashCopy.size else {
      throw IOFailure(
        "use", errno: EINVAL, path: name,
        reason: "it is not a micro:bit's flash, which has \(2 * FlashCopy.size) bytes and not"
          + " \(length)")
    }
    try Syscall.run("make room in", name) { ftruncate(number, off_t(2 * FlashCopy.size)) }
    self.file = consume file
    readOut = try Self.memory()
    do throws(FlashCopy.Damage) {
      guard let (newest, sequence) = try FlashCopy.newest((0..<2).map(copy)) else { return }
      content.bytes = newest.flash
      self.sequence = sequence
    } catch {
      throw IOFailure("use", errno: EINVAL, path: name, reason: Self.words(for: error))
    }
  }

  private static func words(for damage: FlashCopy.Damage) -> String {
    switch damage {
    case .ofAll:
      "no copy of the flash in it is whole, and what the keychain kept is lost:"
        + " move the file away, and a new keychain begins"
    case .ofNewer:
      "one of the two copies of the flash in it is damaged, and may be the newer one, with the last"
        + " presses: move the file away, and a new keychain begins"
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
    try save(bytes)
  }

  /// Writes a flash to the file where it has changed.
  func save(_ bytes: [UInt8]) throws(IOFailure) {
    guard bytes != content.bytes else { return }
    try write(bytes)
    content.bytes = bytes
  }

  /// What is in the flash, as it was saved last.
  var saved: [UInt8] { content.bytes }

  /// The trailer last: without it nothing was written. A write that fails leaves the other copy
  /// alone, and so does the next one.
  private func write(_ bytes: [UInt8]) throws(IOFailure) {
    let next = sequence &+ 1
    let place = Int(next % 2) * FlashCopy.size
    try write(bytes, at: place)
    try write(FlashCopy.trailer(of: bytes, sequence: next), at: place + Self.size)
    sequence = next
  }

  private func write(_ bytes: [UInt8], at place: Int) throws(IOFailure) {
    let number = file.number
    let count = try Syscall.run("write to", file.path) {
      bytes.withUnsafeBytes { pwrite(number, $0.baseAddress, $0.count, off_t(place)) }
    }
    guard count == bytes.count else { throw IOFailure("write to", errno: EIO, path: file.path) }
  }

  /// What is missing is 0.
  private func copy(_ copy: Int) -> FlashCopy {
    var bytes = [UInt8](repeating: 0, count: FlashCopy.size)
    let number = file.number
    let place = off_t(copy * FlashCopy.size)
    _ = bytes.withUnsafeMutableBytes { pread(number, $0.baseAddress, $0.count, place) }
    return FlashCopy(bytes)
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
    try write(content.bytes)
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
