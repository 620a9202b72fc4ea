import Foundation

/// One JSON value as one line.
package enum JSONLine {
  /// Sorts the keys, so that equal values give equal lines. The newline is left out.
  package static func encode(_ value: some Encodable) throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return Array(try encoder.encode(value))
  }

  /// Throws `DecodingError` if the line is not JSON of this shape.
  package static func decode<Value: Decodable>(_ type: Value.Type, from line: [UInt8]) throws
    -> Value
  {
    try JSONDecoder().decode(type, from: Data(line))
  }

  /// Checks for UTF-8 first: the decoder would take zero bytes for UTF-16 or UTF-32.
  static func isObject(_ line: [UInt8]) -> Bool {
    guard !line.contains(0), String(validating: line, as: UTF8.self) != nil else { return false }
    return (try? decode(AnyObjectShape.self, from: line)) != nil
  }

  static func failure(_ text: String) -> [UInt8] {
    (try? encode(FailureAnswer(ok: false, error: text))) ?? Array(#"{"ok":false}"#.utf8)
  }

  static func lost(_ count: Int) -> [UInt8] { Array(#"{"lost":\#(count)}"#.utf8) }

  private struct FailureAnswer: Encodable {
    let ok: Bool
    let error: String
  }

  /// Any object, whatever is in it.
  private struct AnyObjectShape: Decodable {
    private enum NoKey: CodingKey {}

    init(from decoder: any Decoder) throws {
      _ = try decoder.container(keyedBy: NoKey.self)
    }
  }
}

/// The bounds of a control socket.
public enum ControlLimits {
  /// The longest request, in bytes, without its newline.
  public static let maxRequestSize = 65_536
  /// The longest answer that a client takes, in bytes.
  public static let maxAnswerSize = 1_048_576
  /// The most rows of one answer; the answer says where the next ones begin.
  public static let pageRows = 4_096
  /// The size of one answer in bytes, for rows that may be long; the last few rows may exceed it.
  public static let pageBytes = 524_288
  /// Long rows that are read at a time, before the size is checked again.
  public static let pageLongRows = 4
  /// Lines that a server holds for one client that does not read.
  public static let queuedLines = 1_024
  /// Clients at one time. The one that has been quiet for longest gives way to a new one, unless
  /// all are being answered.
  public static let clients = 32
}
