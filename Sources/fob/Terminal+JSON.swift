import Foundation

extension Terminal {
  /// A value as one object of JSON, keys sorted, and a newline.
  /// - Parameter isPretty: over several lines.
  static func json(_ value: some Encodable, isPretty: Bool = false) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    if isPretty { encoder.outputFormatting.insert(.prettyPrinted) }
    line(String(decoding: try encoder.encode(value), as: UTF8.self))
  }
}
