/// The fields of a request, each read by name. One that nobody asked for is refused: a misspelt
/// name must not pass for its default.
struct RequestFields {
  private struct Key: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  private let container: KeyedDecodingContainer<Key>
  private var asked: Set<String> = []

  init(_ decoder: any Decoder) throws { container = try decoder.container(keyedBy: Key.self) }

  mutating func text(_ name: String) throws -> String? {
    try field(name, "a text", String.self)
  }

  mutating func flag(_ name: String) throws -> Bool? {
    try field(name, "true or false", Bool.self)
  }

  mutating func number(_ name: String, _ range: ClosedRange<Int64>) throws -> Int64? {
    let wanted = "a whole number, \(range.lowerBound) to \(range.upperBound)"
    guard let number = try field(name, wanted, Int64.self) else { return nil }
    guard range.contains(number) else { throw CommandRefusal("\"\(name)\" must be \(wanted)") }
    return number
  }

  mutating func decimal(_ name: String, _ range: ClosedRange<Double>) throws -> Double? {
    let wanted = "a number, \(range.lowerBound) to \(range.upperBound)"
    guard let number = try field(name, wanted, Double.self) else { return nil }
    guard range.contains(number) else { throw CommandRefusal("\"\(name)\" must be \(wanted)") }
    return number
  }

  func end() throws {
    let unknown = container.allKeys.map(\.stringValue).filter { !asked.contains($0) }.sorted()
    guard let first = unknown.first else { return }
    throw CommandRefusal(
      "\"\(first)\" does not belong here; known are \(asked.sorted().joined(separator: ", "))")
  }

  private mutating func field<Value: Decodable>(
    _ name: String, _ wanted: String, _ type: Value.Type
  ) throws -> Value? {
    asked.insert(name)
    do {
      return try container.decodeIfPresent(type, forKey: Key(stringValue: name))
    } catch {
      throw CommandRefusal("\"\(name)\" must be \(wanted)")
    }
  }
}
