import Synchronization

/// The shape of a JSON value, both for the OpenAPI document and for checking requests: the part of
/// JSON Schema 2020-12 that the API needs.
indirect enum JSONSchema: Sendable {
  case object([Property], open: Bool)
  /// A closed object whose member `kind` says which other members it has.
  case kinds([String: [Property]])
  case array(JSONSchema, limit: Int)
  case string(StringRule)
  case integer(ClosedRange<Int64>)
  case boolean
  case nullable(JSONSchema)
  /// A shape of `Components`, by name.
  case reference(String)
  /// With what it means, for people.
  case described(JSONSchema, String)

  struct Property: Sendable {
    let name: String
    let schema: JSONSchema
    let isRequired: Bool
  }

  struct StringRule: Sendable {
    var range = 0...ConsoleLimits.text
    /// Anchored; means the same in ECMA-262 and Swift.
    var pattern: String?
    var choices: [String] = []
    var format: String?
  }

  // MARK: Short forms

  static func closed(_ properties: Property...) -> JSONSchema { .object(properties, open: false) }
  /// For answers: a later version may add members.
  static func open(_ properties: Property...) -> JSONSchema { .object(properties, open: true) }

  static var text: JSONSchema { text(0...ConsoleLimits.text) }
  static func text(_ range: ClosedRange<Int>) -> JSONSchema { .string(StringRule(range: range)) }

  static func pattern(_ pattern: String, _ range: ClosedRange<Int>) -> JSONSchema {
    .string(StringRule(range: range, pattern: pattern))
  }

  static func choice(_ choices: [String]) -> JSONSchema {
    .string(StringRule(choices: choices))
  }

  static let pin = pattern("^[0-9]{4}$", 4...4)
  static let device = pattern("^[0-9a-f]{16}$", 16...16)
  static let incident = pattern("^[0-9a-f]{16}-[0-9a-f]{8}-[0-9a-f]{16}$", 42...42)
  static let count = integer(0...Int64.max)
}

extension JSONSchema.Property {
  static func needed(_ name: String, _ schema: JSONSchema) -> Self {
    Self(name: name, schema: schema, isRequired: true)
  }

  static func optional(_ name: String, _ schema: JSONSchema) -> Self {
    Self(name: name, schema: schema, isRequired: false)
  }
}

extension JSONSchema {
  /// The schema in its JSON form, for the document.
  var json: JSONValue {
    switch self {
    case .object(let properties, let open):
      var members: [String: JSONValue] = ["type": "object"]
      members["properties"] = .object(
        Dictionary(properties.map { ($0.name, $0.schema.json) }) { $1 })
      let needed = properties.filter(\.isRequired).map { JSONValue.string($0.name) }
      if !needed.isEmpty { members["required"] = .array(needed) }
      if !open { members["additionalProperties"] = false }
      return .object(members)
    case .kinds(let kinds):
      return ["oneOf": .array(Self.objects(kinds).map { $0.object.json })]
    case .array(let element, let limit):
      return ["type": "array", "items": element.json, "maxItems": .integer(Int64(limit))]
    case .string(let rule): return rule.json
    case .integer(let range):
      var members: [String: JSONValue] = ["type": "integer", "format": "int64"]
      if range.lowerBound > .min { members["minimum"] = .integer(range.lowerBound) }
      if range.upperBound < .max { members["maximum"] = .integer(range.upperBound) }
      return .object(members)
    case .boolean: return ["type": "boolean"]
    case .nullable(let schema): return ["anyOf": [schema.json, ["type": "null"]]]
    case .reference(let name): return ["$ref": .string("#/components/schemas/\(name)")]
    case .described(let schema, let words):
      guard case .object(var members) = schema.json else { return schema.json }
      members["description"] = .string(words)
      return .object(members)
    }
  }
}

extension JSONSchema {
  /// The shape of each kind, by its name.
  fileprivate static func objects(
    _ kinds: [String: [Property]]
  ) -> [(kind: String, object: JSONSchema)] {
    kinds.sorted { $0.key < $1.key }.map { kind, properties in
      (kind, .object([.needed("kind", .choice([kind]))] + properties, open: false))
    }
  }
}

extension JSONSchema.StringRule {
  fileprivate var json: JSONValue {
    var members: [String: JSONValue] = ["type": "string"]
    if !choices.isEmpty {
      members["enum"] = .array(choices.map { .string($0) })
      return .object(members)
    }
    if range.lowerBound > 0 { members["minLength"] = .integer(Int64(range.lowerBound)) }
    members["maxLength"] = .integer(Int64(range.upperBound))
    if let pattern { members["pattern"] = .string(pattern) }
    if let format { members["format"] = .string(format) }
    return .object(members)
  }
}

extension JSONSchema {
  /// Where and how a value does not have this shape.
  struct Mismatch: Error, Equatable {
    /// As in "numbers[0].number"; empty for the whole value.
    let field: String
    let reason: String
  }

  func check(_ value: JSONValue, at field: String = "") throws(Mismatch) {
    switch (self, value) {
    case (.object(let properties, let open), .object(let members)):
      try Self.check(members, properties, open, at: field)
    case (.kinds(let kinds), .object(let members)):
      let objects = Self.objects(kinds)
      let kind = members["kind"]?.text
      guard let object = objects.first(where: { $0.kind == kind })?.object else {
        throw Mismatch(
          field: field.isEmpty ? "kind" : field + ".kind",
          reason: "one of \(objects.map(\.kind).joined(separator: ", "))")
      }
      try object.check(value, at: field)
    case (.array(let element, let limit), .array(let elements)):
      guard elements.count <= limit else {
        throw Mismatch(field: field, reason: "no more than \(limit) elements")
      }
      for (index, value) in elements.enumerated() {
        try element.check(value, at: "\(field)[\(index)]")
      }
    case (.string(let rule), .string(let text)): try rule.check(text, at: field)
    case (.integer(let range), .integer(let integer)):
      guard range.contains(integer) else {
        let most = range.upperBound == .max ? "or more" : "to \(range.upperBound)"
        throw Mismatch(field: field, reason: "\(range.lowerBound) \(most), not \(integer)")
      }
    case (.integer(let range), .number(let number)):
      // JSON Schema counts 1.0 as an integer.
      guard let integer = Int64(exactly: number), range.contains(integer) else {
        throw wrong(field)
      }
    case (.boolean, .boolean), (.nullable, .null): break
    case (.nullable(let schema), _): try schema.check(value, at: field)
    case (.reference(let name), _): try Components.schema(name).check(value, at: field)
    case (.described(let schema, _), _): try schema.check(value, at: field)
    default: throw wrong(field)
    }
  }

  private func wrong(_ field: String) -> Mismatch {
    Mismatch(field: field, reason: "it must be \(words)")
  }

  private var words: String {
    switch self {
    case .object, .kinds: "an object"
    case .array: "an array"
    case .string: "a string"
    case .integer: "an integer"
    case .boolean: "true or false"
    case .nullable(let schema): "\(schema.words) or null"
    case .reference(let name): Components.schema(name).words
    case .described(let schema, _): schema.words
    }
  }

  private static func check(
    _ members: [String: JSONValue], _ properties: [Property], _ open: Bool, at field: String
  ) throws(Mismatch) {
    let prefix = field.isEmpty ? "" : field + "."
    if !open {
      let known = Set(properties.map(\.name))
      // The first by name, so that equal requests get equal answers.
      if let unknown = members.keys.filter({ !known.contains($0) }).min() {
        throw Mismatch(
          field: prefix + String(unknown.prefix(ConsoleLimits.text)), reason: "no such key")
      }
    }
    for property in properties {
      if let value = members[property.name] {
        try property.schema.check(value, at: prefix + property.name)
      } else if property.isRequired {
        throw Mismatch(field: prefix + property.name, reason: "it is missing")
      }
    }
  }
}

extension JSONSchema.StringRule {
  /// How many characters are right, for people.
  private var lengths: String {
    switch (range.lowerBound, range.upperBound) {
    case (1, 1): "one character"
    case (let least, let most) where least == most: "\(most) characters"
    case (0, let most): "no more than \(most) characters"
    case (let least, let most): "\(least) to \(most) characters"
    }
  }

  func check(_ text: String, at field: String) throws(JSONSchema.Mismatch) {
    guard choices.isEmpty || choices.contains(text) else {
      throw JSONSchema.Mismatch(
        field: field, reason: "one of \(choices.joined(separator: ", "))")
    }
    // Counted in code points, as JSON Schema does.
    guard range.contains(text.unicodeScalars.count) else {
      throw JSONSchema.Mismatch(field: field, reason: lengths)
    }
    guard !text.unicodeScalars.contains("\0") else {
      throw JSONSchema.Mismatch(field: field, reason: "no NUL in a text")
    }
    guard let pattern else { return }
    guard Patterns.matches(text, pattern) else {
      throw JSONSchema.Mismatch(field: field, reason: "it must read as \(pattern)")
    }
  }
}

/// The patterns of all shapes. Each is compiled once: that takes longer than to read a text by it.
private enum Patterns {
  private static let compiled = Mutex<[String: Regex<AnyRegexOutput>]>([:])

  static func matches(_ text: String, _ pattern: String) -> Bool {
    compiled.withLock { compiled in
      guard let expression = compiled[pattern] ?? (try? Regex(pattern)) else { return false }
      compiled[pattern] = expression
      return (try? expression.wholeMatch(in: text)) != nil
    }
  }
}
