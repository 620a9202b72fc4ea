public import AlertCore
import Foundation

/// Values as one line of JSON, for columns whose shape the database does not know.
enum JSON {
  /// For a column. It runs at every commit, so it is fast.
  static func encode(_ value: some Encodable) throws -> String {
    if let text = try JSONText.of(value) { return text }
    return try encodeSorted(value)
  }

  /// For a document: the keys are sorted.
  static func encodeSorted(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  static func decode<T: Decodable>(_ text: String) throws -> T {
    try JSONDecoder().decode(T.self, from: Data(text.utf8))
  }
}

/// A time in two forms: for programs and for people.
public struct WallTime: Codable, Equatable, Sendable {
  /// Microseconds since 1970-01-01 UTC.
  public let wall: Int64
  /// RFC 3339 in UTC, with microseconds, as in "2026-01-15T05:27:00.000000Z".
  public let time: String

  /// Takes µs since 1970; negative values are before 1970.
  public init(_ wall: Int64) {
    self.wall = wall
    let (seconds, rest) = wall.quotientAndRemainder(dividingBy: 1_000_000)
    let second = rest < 0 ? seconds - 1 : seconds
    let fraction = String(rest < 0 ? rest + 1_000_000 : rest)
    let whole = Date(timeIntervalSince1970: TimeInterval(second)).formatted(.iso8601)
    time = "\(whole.dropLast()).\(String(repeating: "0", count: 6 - fraction.count))\(fraction)Z"
  }

  /// Takes the wall clock's part of a timestamp.
  public init(_ timestamp: Timestamp) { self.init(timestamp.wall) }
}
