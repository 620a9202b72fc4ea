extension JSONSchema {
  /// Where a value is not of this shape, and how.
  struct Mismatch: Error, Equatable {
    /// As in "numbers[0].number"; empty for the whole.
    let field: String
    let reason: String
  }

  func check(_ value: JSONValue, at field: String = "") throws(Mismatch) {
    switch (self, value) {
    case (.object(let properties, let open), .object(let members)):
      try Self.check(members, properties, open, at: field)
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
        throw Mismatch(
          field: field, reason: "from \(range.lowerBound) to \(range.upperBound), not \(integer)")
      }
    case (.integer(let range), .number(let number)):
      // JSON Schema counts 1.0 as an integer.
      guard let integer = Int64(exactly: number), range.contains(integer) else {
        throw wrong(field)
      }
    case (.boolean, .boolean), (.nullable, .null): break
    case (.nullable(let schema), _): try schema.check(value, at: field)
    case (.reference(let name), _): try Components.schema(name).check(value, at: field)
    default: throw wrong(field)
    }
  }

  private func wrong(_ field: String) -> Mismatch {
    Mismatch(field: field, reason: "it must be \(words)")
  }

  private var words: String {
    switch self {
    case .object: "an object"
    case .array: "an array"
    case .string: "a string"
    case .integer: "an integer"
    case .boolean: "true or false"
    case .nullable(let schema): "\(schema.words) or null"
    case .reference(let name): Components.schema(name).words
    }
  }

  private static func check(
    _ members: [String: JSONValue], _ properties: [Property], _ open: Bool, at field: String
  ) throws(Mismatch) {
    let prefix = field.isEmpty ? "" : field + "."
    if !open {
      let known = Set(properties.map(\.name))
      // The first by name, so that the same request gets the same answer.
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
  func check(_ text: String, at field: String) throws(JSONSchema.Mismatch) {
    guard choices.isEmpty || choices.contains(text) else {
      throw JSONSchema.Mismatch(
        field: field, reason: "one of \(choices.joined(separator: ", "))")
    }
    // Counted as JSON Schema counts: code points.
    guard range.contains(text.unicodeScalars.count) else {
      throw JSONSchema.Mismatch(
        field: field, reason: "\(range.lowerBound) to \(range.upperBound) characters")
    }
    guard !text.unicodeScalars.contains("\0") else {
      throw JSONSchema.Mismatch(field: field, reason: "no NUL in a text")
    }
    guard let pattern else { return }
    guard let expression = try? Regex(pattern), (try? expression.wholeMatch(in: text)) != nil else {
      throw JSONSchema.Mismatch(field: field, reason: "it must read as \(pattern)")
    }
  }
}
