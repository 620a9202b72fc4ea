public import AlertCore
public import Sinks

/// Who may be told by a process whose time a test moves: nobody who exists.
public enum TestIdentity {
  /// Why it may not run on a test's clock; nil where it may.
  public static func obstacle(account: Account, sinks: [any Sink]) -> String? {
    if let sink = sinks.first(where: { !$0.isTest }) {
      return
        "the notification channel '\(sink.name)' reaches real receivers; declare it 'test: true'"
    }
    if !account.email.isEmpty, !isTest(mailbox: account.email) {
      return "the account's e-mail address may be somebody's; use one at example.org"
    }
    if !account.mobile.isEmpty, !isTest(number: account.mobile) {
      return "the account's mobile number may be somebody's; use one of +1 555 555 01xx"
    }
    for contact in account.contacts {
      let isTest =
        contact.numbers.allSatisfy { self.isTest(number: $0) }
        && (contact.email.map { self.isTest(mailbox: $0) } ?? true)
      guard isTest else {
        return "the contact \(contact.id) may be somebody; use an address at example.org or a"
          + " number of +1 555 555 01xx"
      }
    }
    return nil
  }

  /// Domains that nobody can own (RFC 2606, sections 2 and 3).
  static func isTest(mailbox: String) -> Bool {
    guard let at = mailbox.lastIndex(of: "@") else { return false }
    let domain = mailbox[mailbox.index(after: at)...].lowercased()
    return ["example.org", "example.com", "example.net"].contains {
      domain == $0 || domain.hasSuffix("." + $0)
    } || [".example", ".test", ".invalid"].contains { domain.hasSuffix($0) }
  }

  /// Of each area of the North American plan, the hundred numbers kept for fiction: 555-0100 to
  /// 555-0199.
  static func isTest(number: String) -> Bool {
    let digits = Array(number.utf8)
    return digits.count == 12 && digits.starts(with: "+1".utf8)
      && digits[2...].allSatisfy { (0x30...0x39).contains($0) }
      && digits[5...].starts(with: "55501".utf8)
  }
}
