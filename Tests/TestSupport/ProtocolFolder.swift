import Foundation

/// `firmware-protocol/`: the message table and the vectors.
public enum ProtocolFolder {
  private static let root = Repository.root.appending(path: "firmware-protocol")

  public static func bytes(_ path: String) throws -> [UInt8] {
    Array(try Data(contentsOf: root.appending(path: path)))
  }

  public static func json<T: Decodable>(_ path: String, as type: T.Type = T.self) throws -> T {
    try JSONDecoder().decode(T.self, from: Data(contentsOf: root.appending(path: path)))
  }
}
