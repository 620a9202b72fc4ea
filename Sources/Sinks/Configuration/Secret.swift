import Foundation
import SerialIO

/// A text that is never printed, logged or dumped.
public struct Secret: Equatable, Sendable, Decodable, CustomStringConvertible, CustomReflectable {
  let text: String

  public init(_ text: String) { self.text = text }

  public init(from decoder: any Decoder) throws {
    text = try decoder.singleValueContainer().decode(String.self)
  }

  /// What a file holds, without the line break at its end. A file that everybody may read is
  /// refused.
  init(file path: String) throws(ConfigurationFailure) {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    guard let mode = attributes?[.posixPermissions] as? Int, let size = attributes?[.size] as? Int,
      size <= 4_096, let text = try? String(contentsOfFile: path, encoding: .utf8)
    else {
      throw ConfigurationFailure(
        "secretFile", "cannot be read as a text of at most 4096 bytes: \(path)")
    }
    guard mode & 0o004 == 0 else {
      throw ConfigurationFailure("secretFile", "can be read by everybody: chmod 600 \(path)")
    }
    self.text = String(text.reversed().drop(while: \.isNewline).reversed())
  }

  public var description: String { "(secret)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
