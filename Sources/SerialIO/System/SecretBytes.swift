import CLinux
import Glibc

/// Bytes that are overwritten when they are let go of. Texts that are made of them are Swift's, who
/// copies them as it likes: they are as short-lived as their holder makes them.
public struct SecretBytes: ~Copyable {
  private let room: UnsafeMutableRawBufferPointer
  public private(set) var count = 0

  public init(capacity: Int) {
    room = .allocate(byteCount: capacity, alignment: 1)
  }

  deinit {
    clinux_wipe(room.baseAddress, room.count)
    room.deallocate()
  }

  /// False where there is no room left.
  public mutating func append(_ byte: UInt8) -> Bool {
    guard count < room.count else { return false }
    room[count] = byte
    count += 1
    return true
  }

  public func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows
    -> Result
  {
    try body(UnsafeRawBufferPointer(rebasing: room[..<count]))
  }

  /// Nil where they are no UTF-8.
  public var text: String? {
    withBytes { String(validating: $0.bindMemory(to: UInt8.self), as: UTF8.self) }
  }

  /// The first line, without what ends it.
  public var line: String? {
    text?.prefix { !$0.isNewline }.description
  }

  mutating func fill(from descriptor: Int32, path: String) throws(IOFailure) -> Bool {
    while true {
      // One more than there may be.
      if count == room.count { return false }
      let rest = UnsafeMutableRawBufferPointer(rebasing: room[count...])
      let read = try Syscall.run("read", path) {
        Glibc.read(descriptor, rest.baseAddress, rest.count)
      }
      if read == 0 { return true }
      count += read
    }
  }
}
