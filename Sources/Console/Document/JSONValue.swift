import Foundation

/// Any JSON value, before its shape is checked.
enum JSONValue: Equatable, Sendable {
  case null
  case boolean(Bool)
  case integer(Int64)
  case number(Double)
  case string(String)
  case array([JSONValue])
  case object([String: JSONValue])

  init(_ bytes: Data) throws { self = try JSONDecoder().decode(JSONValue.self, from: bytes) }

  subscript(name: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members[name]
  }

  var text: String? {
    guard case .string(let text) = self else { return nil }
    return text
  }

  var whole: Int64? {
    switch self {
    case .integer(let integer): integer
    case .number(let number): Int64(exactly: number)
    default: nil
    }
  }

  var elements: [JSONValue] {
    guard case .array(let elements) = self else { return [] }
    return elements
  }

  /// Of all objects in it together.
  var members: Int {
    switch self {
    case .object(let members): members.values.reduce(members.count) { $0 + $1.members }
    case .array(let elements): elements.reduce(0) { $0 + $1.members }
    case .null, .boolean, .integer, .number, .string: 0
    }
  }

  var truth: Bool? {
    guard case .boolean(let truth) = self else { return nil }
    return truth
  }
}

extension JSONValue: Codable {
  private struct Name: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  init(from decoder: any Decoder) throws {
    if let members = try? decoder.container(keyedBy: Name.self) {
      var object: [String: JSONValue] = [:]
      for name in members.allKeys {
        object[name.stringValue] = try members.decode(JSONValue.self, forKey: name)
      }
      self = .object(object)
    } else if var elements = try? decoder.unkeyedContainer() {
      var array: [JSONValue] = []
      while !elements.isAtEnd { array.append(try elements.decode(JSONValue.self)) }
      self = .array(array)
    } else {
      self = try Self.scalar(decoder.singleValueContainer())
    }
  }

  private static func scalar(_ value: any SingleValueDecodingContainer) throws -> JSONValue {
    if value.decodeNil() { return .null }
    if let truth = try? value.decode(Bool.self) { return .boolean(truth) }
    if let integer = try? value.decode(Int64.self) { return .integer(integer) }
    if let number = try? value.decode(Double.self) { return .number(number) }
    return .string(try value.decode(String.self))
  }

  func encode(to encoder: any Encoder) throws {
    switch self {
    case .object(let members):
      var container = encoder.container(keyedBy: Name.self)
      for (name, value) in members { try container.encode(value, forKey: Name(stringValue: name)) }
    case .array(let elements):
      var container = encoder.unkeyedContainer()
      for element in elements { try container.encode(element) }
    default:
      var container = encoder.singleValueContainer()
      switch self {
      case .boolean(let truth): try container.encode(truth)
      case .integer(let integer): try container.encode(integer)
      case .number(let number): try container.encode(number)
      case .string(let text): try container.encode(text)
      case .null, .array, .object: try container.encodeNil()
      }
    }
  }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByArrayLiteral,
  ExpressibleByDictionaryLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral
{
  init(stringLiteral text: String) { self = .string(text) }
  init(booleanLiteral truth: Bool) { self = .boolean(truth) }
  init(integerLiteral integer: Int64) { self = .integer(integer) }
  init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  init(dictionaryLiteral members: (String, JSONValue)...) {
    self = .object(Dictionary(members) { $1 })
  }
}
