import Foundation

/// One JSON value as one line.
package enum JSONLine {
  /// Keys in order, so that equal values are equal lines. Without the newline.
  package static func encode(_ value: some Encodable) throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return Array(try encoder.encode(value))
  }

  package static func decode<Value: Decodable>(_ type: Value.Type, from line: [UInt8]) throws
    -> Value
  {
    try JSONDecoder().decode(type, from: Data(line))
  }

  /// UTF-8 is looked at first: the decoder would guess UTF-16 or UTF-32 from zero bytes.
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
  /// One request in bytes, without its newline.
  public static let maxRequestSize = 65_536
  /// One answer, as a client takes it.
  public static let maxAnswerSize = 1_048_576
  /// Rows in one answer; behind them it says where the next ones begin.
  public static let pageRows = 4_096
  /// The same in bytes, for rows that may be long; the last few may go beyond it.
  public static let pageBytes = 524_288
  public static let pageLongRows = 4
  /// Lines that a server holds back for one client that does not read.
  public static let queuedLines = 1_024
  /// The quietest gives way to one more, unless all are being answered.
  public static let clients = 32
}
