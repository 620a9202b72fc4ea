import Control
import FobBase

/// The fields of a request, each read by name. `end()` refuses a field that was not read: a
/// misspelt name must not pass for a default.
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

/// A request and the keychain that it is for: `"serial":7`, `"all":true`, or neither if there is
/// only one.
struct AddressedRequest: Decodable, Hashable {
  enum Address: Hashable {
    case unsaid
    case serial(UInt32)
    case all
  }

  let address: Address
  let request: EmulatorRequest

  static func read(_ request: ControlRequest) -> Result<AddressedRequest, CommandRefusal> {
    do {
      return .success(try request.decode(AddressedRequest.self))
    } catch let refusal as CommandRefusal {
      return .failure(refusal)
    } catch {
      return .failure(CommandRefusal("the request cannot be read: send one flat JSON object"))
    }
  }

  init(from decoder: any Decoder) throws {
    var fields = try RequestFields(decoder)
    address = try Self.address(&fields)
    request = try EmulatorRequest.read(&fields)
    try fields.end()
  }

  private static func address(_ fields: inout RequestFields) throws -> Address {
    let serial = try fields.number("serial", 0...Int64(UInt32.max))
    let all = try fields.flag("all") ?? false
    switch (serial, all) {
    case (nil, false): return .unsaid
    case (nil, true): return .all
    case (let serial?, false): return .serial(UInt32(serial))
    default: throw CommandRefusal("either \"serial\" or \"all\":true, not both")
    }
  }
}
