import Firmware
import FobBase
import Glibc
import SerialIO
import WireProtocol

/// The board's non-volatile memory: a file, or memory that ends with the emulator.
///
/// Nothing is fsynced. The file stands for flash that keeps its bytes when the board loses power:
/// this process may be killed at any time, and the kernel still has what it wrote. Only a crash of
/// the host loses bytes, and that ends the keychain's whole simulated world.
final class BoardStore {
  /// Whole pages. Every store has this size, which tells it from other files.
  static let size = (Keychain.storeSize + 4_095) & ~4_095

  /// Makes reading and writing fail, as worn-out flash does.
  var fails = false
  private var memory: [UInt8] = []
  private let file: OwnedDescriptor?

  /// - Parameter path: a file that is made if it is missing; nil keeps everything in memory.
  /// - Throws: `IOFailure`; EBUSY if another emulator holds the file, EINVAL if it has another
  ///   size than a store.
  init(path: String?) throws(IOFailure) {
    guard let path else {
      file = nil
      memory = [UInt8](repeating: 0, count: Self.size)
      return
    }
    let file = try Syscall.open(path, O_RDWR | O_CREAT, mode: 0o600)
    guard try file.lockExclusively() else {
      throw IOFailure("use", errno: EBUSY, path: path, reason: "another emulator holds it")
    }
    let number = file.number
    let length = try Syscall.run("measure", path) { lseek(number, 0, SEEK_END) }
    guard length == 0 || length == Self.size else {
      throw IOFailure(
        "use", errno: EINVAL, path: path,
        reason: "it is not a keychain's store, which has \(Self.size) bytes and not \(length)")
    }
    try Syscall.run("make room in", path) { ftruncate(number, off_t(Self.size)) }
    self.file = consume file
  }

  /// Gives a keychain the key of its label, as a factory does.
  /// - Throws: `IOFailure`, EEXIST where the store was used and has not this key.
  func provision(_ key: PairingKey) throws(IOFailure) {
    let path =
      switch file {
      case .some(let file): file.path
      case .none: "the keychain's memory"
      }
    try FactoryKey.write(key, path) {
      read(at: 0, $0)
    } write: {
      write(at: 0, $0)
    }
  }

  func read(at offset: Int, _ buffer: UnsafeMutableRawBufferPointer) -> Bool {
    guard !fails, offset >= 0, offset + buffer.count <= Self.size else { return false }
    switch file {
    case .some(let file):
      return pread(file.number, buffer.baseAddress, buffer.count, off_t(offset)) == buffer.count
    case .none:
      buffer.copyBytes(from: memory[offset..<offset + buffer.count])
      return true
    }
  }

  func write(at offset: Int, _ bytes: UnsafeRawBufferPointer) -> Bool {
    guard !fails, offset >= 0, offset + bytes.count <= Self.size else { return false }
    switch file {
    case .some(let file):
      return pwrite(file.number, bytes.baseAddress, bytes.count, off_t(offset)) == bytes.count
    case .none:
      memory.replaceSubrange(offset..<offset + bytes.count, with: bytes)
      return true
    }
  }
}

/// The key that a factory writes before the sale, as `fob emulate --key` has it.
enum FactoryKey {
  /// - Parameters:
  ///   - key: as the label tells.
  ///   - path: of the store.
  ///   - read: fills its argument from the store's begin on.
  ///   - write: the reverse.
  static func write(
    _ key: PairingKey, _ path: String, read: (UnsafeMutableRawBufferPointer) -> Bool,
    write: (UnsafeRawBufferPointer) -> Bool
  ) throws(IOFailure) {
    let image = UnsafeMutableRawBufferPointer.allocate(
      byteCount: Keychain.storeSize, alignment: 8)
    defer { image.deallocate() }
    guard read(image) else { throw IOFailure("read", errno: EIO, path: path) }
    guard Keychain.provision(image, with: key) else {
      throw IOFailure(
        "use", errno: EEXIST, path: path,
        reason: "this keychain has not the key of its label: it began without it, or was paired or"
          + " un-paired since; leave the label out, or begin with another file")
    }
    guard write(UnsafeRawBufferPointer(image)) else {
      throw IOFailure("write", errno: EIO, path: path)
    }
  }
}
