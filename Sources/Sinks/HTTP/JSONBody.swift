import Foundation

enum JSONBody {
  /// Keys sorted, so that one message has one form.
  static func bytes(_ value: some Encodable, for sink: String) throws(SinkFailure) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    do {
      return Array(try encoder.encode(value))
    } catch {
      throw SinkFailure(sink: sink, reason: "the message has no JSON form")
    }
  }
}
