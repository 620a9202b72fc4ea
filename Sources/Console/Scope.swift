/// What a token allows; each scope includes those before it.
public enum Scope: String, Codable, Sendable, CaseIterable, Comparable {
  /// To read.
  case observe
  /// And to answer an emergency: the verbs, triggers, acknowledgements.
  case operate
  /// And to change the account, its contacts and keychains, tokens and state.
  case administer

  public static func < (a: Scope, b: Scope) -> Bool { a.rank < b.rank }

  private var rank: Int { Self.allCases.firstIndex(of: self)! }
}
