import Foundation
import Glibc

/// A directory of a test's own, removed with all that is in it. Its path is short, since that of a
/// Unix socket may have 107 bytes at the most.
public final class ScratchDirectory: Sendable {
  public let path: String

  public init() throws {
    var template = Array("/tmp/fob-test-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw POSIXError(POSIXErrorCode(rawValue: errno)!) }
    path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  public func path(_ name: String) -> String { "\(path)/\(name)" }
}
