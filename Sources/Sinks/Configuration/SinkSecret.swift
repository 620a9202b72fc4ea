import Glibc
import SerialIO

/// A text that is never printed, logged or dumped.
public struct SinkSecret: Equatable, Sendable, Decodable, CustomStringConvertible, CustomReflectable
{
  let text: String

  public init(_ text: String) { self.text = text }

  public init(from decoder: any Decoder) throws {
    text = try decoder.singleValueContainer().decode(String.self)
  }

  /// What a file or credential holds, without the line break at its end. A file that others may
  /// read is refused.
  init(file place: String) throws(ConfigurationFailure) {
    let text: String?
    do throws(IOFailure) {
      text = try SecretFile.read(place).text
    } catch  where error.errno == EPERM {
      throw ConfigurationFailure("secretFile", "can be read by others: chmod 600 \(place)")
    } catch {
      text = nil
    }
    guard let text else {
      throw ConfigurationFailure(
        "secretFile", "cannot be read as a text of at most 4096 bytes: \(place)")
    }
    self.text = String(text.reversed().drop(while: \.isNewline).reversed())
  }

  public var description: String { "(secret)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
