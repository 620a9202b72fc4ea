import Foundation

/// Values as one line of JSON, for columns whose shape the database need not know.
enum JSON {
  /// For a column: at every commit, so as fast as can be.
  static func encode(_ value: some Encodable) throws -> String {
    if let text = try JSONText.of(value) { return text }
    return try encodeSorted(value)
  }

  /// For a document: the keys in the order of their letters.
  static func encodeSorted(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  static func decode<T: Decodable>(_ text: String) throws -> T {
    try JSONDecoder().decode(T.self, from: Data(text.utf8))
  }
}
