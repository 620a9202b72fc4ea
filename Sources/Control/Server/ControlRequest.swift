/// One request: a line that is a JSON object.
public struct ControlRequest: Hashable, Sendable {
  /// The bytes as they came, without the newline: at most `ControlLimits.maxRequestSize`.
  public let line: [UInt8]

  public init(line: [UInt8]) { self.line = line }

  /// - Throws: `DecodingError` if the object has another shape.
  public func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    try JSONLine.decode(type, from: line)
  }
}
