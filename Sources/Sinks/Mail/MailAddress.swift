/// A mailbox that is safe to write into a header: one `@`, visible ASCII, nothing that RFC 5322
/// gives a meaning (3.2.3, `dot-atom`). Quoted and international mailboxes are refused.
public struct MailAddress: Equatable, Sendable {
  public let text: String

  public init?(_ text: String) {
    let parts = text.split(separator: "@", omittingEmptySubsequences: false)
    guard parts.count == 2, text.utf8.count <= 254, (1...64).contains(parts[0].utf8.count),
      Self.isAtoms(parts[0], beside: "!#$%&'*+/=?^_`{|}~-"), Self.isAtoms(parts[1], beside: "-")
    else { return nil }
    self.text = text
  }

  var domain: String { String(text.split(separator: "@")[1]) }

  private static func isAtoms(_ text: Substring, beside others: String) -> Bool {
    text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { atom in
      // A dash in front would be an option to the mailer.
      !atom.isEmpty && atom.utf8.first != 0x2D
        && atom.utf8.allSatisfy { byte in
          (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
            || (0x61...0x7A).contains(byte) || others.utf8.contains(byte)
        }
    }
  }
}
