import Foundation

enum ControlAnswer {
  static func decode<Value: Decodable>(_ line: String) throws -> Value {
    try JSONDecoder().decode(Value.self, from: Data(line.utf8))
  }
}
