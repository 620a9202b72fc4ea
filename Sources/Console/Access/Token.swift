/// A token as it is kept: of its text the SHA-256 alone, so that the file lets nobody in.
public struct Token: Codable, Equatable, Sendable {
  public let id: String
  /// For the log: of a program or a role, never of a person.
  public let name: String
  public let scope: Scope
  /// Hexadecimal.
  let digest: String
  /// µs since 1970.
  public let createdWall: Int64

  /// What a name may be: 1 to 64 of letters, digits, blank, `.`, `_`, `-`.
  static func isName(_ name: String) -> Bool {
    (1...64).contains(name.utf8.count)
      && name.utf8.allSatisfy { byte in
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x20, 0x2D, 0x2E, 0x5F: true
        default: false
        }
      }
  }
}
