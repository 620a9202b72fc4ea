import AlertCore
import Judge

/// When words are looked for in entries of the log: of each kind the first ones are looked at,
/// again behind each answer that is saved.
struct WordSearch {
  private static let ofEachKind = 4
  /// An answer was saved.
  private(set) var isDue = false
  private var seen: [WordPlace: [AuditEvent.Name: Int]] = [:]

  mutating func answered() {
    isDue = true
    seen = [:]
  }

  mutating func wants(_ name: AuditEvent.Name, in place: WordPlace) -> Bool {
    guard isDue else { return false }
    seen[place, default: [:]][name, default: 0] += 1
    return seen[place]?[name] ?? 0 <= Self.ofEachKind
  }
}

/// Looks for words in every text of a value, keys included. It stands in the place of an encoder
/// and writes nothing: to write a status out takes a hundred times as long as all that the core
/// does for it.
final class WordEncoder: Encoder {
  let codingPath: [any CodingKey] = []
  let userInfo: [CodingUserInfoKey: Any] = [:]
  private let words: [[UInt8]]
  private let shortest: Int
  private var found: Set<Int> = []

  private init(_ words: [String]) {
    self.words = words.map { Array($0.utf8) }
    shortest = self.words.map(\.count).min() ?? 0
  }

  /// Those of `words` that `value` has, in their order.
  static func words(of words: [String], in value: some Encodable) -> [String] {
    let encoder = WordEncoder(words)
    encoder.take(value)
    return encoder.found.sorted().map { words[$0] }
  }

  fileprivate func take(_ value: some Encodable) {
    guard (try? value.encode(to: self)) != nil else {
      preconditionFailure("no value of the core refuses to be written")
    }
  }

  fileprivate func look(in text: String) {
    guard text.utf8.count >= shortest else { return }
    var text = text
    text.withUTF8 { bytes in
      for (index, word) in words.enumerated() where Self.has(bytes, word) { found.insert(index) }
    }
  }

  /// Byte by byte: Swift's own search goes by characters.
  private static func has(_ text: UnsafeBufferPointer<UInt8>, _ word: [UInt8]) -> Bool {
    var at = 0
    while at <= text.count - word.count {
      if text[at] == word[0], text[at..<at + word.count].elementsEqual(word) { return true }
      at += 1
    }
    return false
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(KeyedWords(encoder: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer { ListedWords(encoder: self) }

  func singleValueContainer() -> any SingleValueEncodingContainer { SingleWords(encoder: self) }
}

private struct KeyedWords<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let encoder: WordEncoder
  var codingPath: [any CodingKey] { [] }

  func encodeNil(forKey key: Key) {}

  func encode(_ value: String, forKey key: Key) {
    encoder.look(in: key.stringValue)
    encoder.look(in: value)
  }

  func encode<T: Encodable>(_ value: T, forKey key: Key) {
    encoder.look(in: key.stringValue)
    encoder.take(value)
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> { encoder.container(keyedBy: type) }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    encoder.unkeyedContainer()
  }

  func superEncoder() -> any Encoder { encoder }
  func superEncoder(forKey key: Key) -> any Encoder { encoder }
}

private struct ListedWords: UnkeyedEncodingContainer {
  let encoder: WordEncoder
  var codingPath: [any CodingKey] { [] }
  var count: Int { 0 }

  func encodeNil() {}
  func encode<T: Encodable>(_ value: T) { encoder.take(value) }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) -> KeyedEncodingContainer<Nested> { encoder.container(keyedBy: type) }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { self }
  func superEncoder() -> any Encoder { encoder }
}

/// Every text comes here at last, and every number, which is none.
private struct SingleWords: SingleValueEncodingContainer {
  let encoder: WordEncoder
  var codingPath: [any CodingKey] { [] }

  func encodeNil() {}
  func encode(_ value: String) { encoder.look(in: value) }
  func encode(_ value: Bool) {}
  func encode(_ value: Double) {}
  func encode(_ value: Float) {}
  func encode(_ value: Int) {}
  func encode(_ value: Int8) {}
  func encode(_ value: Int16) {}
  func encode(_ value: Int32) {}
  func encode(_ value: Int64) {}
  func encode(_ value: UInt) {}
  func encode(_ value: UInt8) {}
  func encode(_ value: UInt16) {}
  func encode(_ value: UInt32) {}
  func encode(_ value: UInt64) {}
  func encode<T: Encodable>(_ value: T) { encoder.take(value) }
}
