import Foundation

/// `firmware-protocol/`: the message table and the vectors.
enum ProtocolFolder {
  static let root = URL(filePath: #filePath).resolvingSymlinksInPath()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "firmware-protocol")

  static func bytes(_ path: String) throws -> [UInt8] {
    Array(try Data(contentsOf: root.appending(path: path)))
  }

  static func json<T: Decodable>(_ path: String, as type: T.Type = T.self) throws -> T {
    try JSONDecoder().decode(T.self, from: Data(contentsOf: root.appending(path: path)))
  }
}
