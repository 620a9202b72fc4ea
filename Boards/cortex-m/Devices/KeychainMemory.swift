import CortexM
import Firmware

/// Where the keychain lies: among the variables, which are zero at the start, and not on the stack,
/// which could not hold it twice while it is made.
enum KeychainMemory {
  @inline(__always)
  static func boot<B: Board>(_ board: inout B) -> UnsafeMutablePointer<Keychain> {
    precondition(Keychain.memorySize <= KEYCHAIN_MEMORY_SIZE)
    return Keychain.boot(in: keychain_memory(), &board)
  }
}
