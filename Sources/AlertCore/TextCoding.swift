public import FobBase

extension DeviceID {
  /// - Returns: nil for a text that is no name of a keychain.
  public init?(text: String) {
    guard text.utf8.count == 16, text.utf8.first != UInt8(ascii: "+"),
      let value = UInt64(text, radix: 16)
    else { return nil }
    self.init(rawValue: value)
  }
}

extension KeyedDecodingContainer {
  /// A value that is kept as a number and told as a text.
  func decode<T>(_ type: T.Type, text key: Key, _ read: (String) -> T?) throws -> T {
    let text = try decode(String.self, forKey: key)
    guard let value = read(text) else {
      throw DecodingError.dataCorruptedError(
        forKey: key, in: self, debugDescription: "no \(type): \(text)")
    }
    return value
  }
}
