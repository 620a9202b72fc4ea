public import Foundation
import Glibc

/// A command of the shell, for what programs of others say of us.
///
/// Foundation's Process copies the list of all descriptors first, and has crashed where servers of
/// other tests open and close many meanwhile.
public enum Shell {
  /// - Returns: its exit status, or 128 and the number of the signal that ended it, and what it has
  ///   printed.
  public static func run(_ command: String) throws -> (status: Int32, output: Data) {
    guard let stream = popen(command, "re") else {
      throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EAGAIN)
    }
    var output = Data()
    var piece = [UInt8](repeating: 0, count: 4_096)
    while case let count = fread(&piece, 1, piece.count, stream), count > 0 {
      output += piece[..<count]
    }
    let status = pclose(stream)
    return (status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F, output)
  }
}
