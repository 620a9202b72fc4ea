/// What a token allows: three that grow from each other, and a bridge's beside them.
public enum Scope: String, Codable, Sendable, CaseIterable {
  /// To read.
  case observe
  /// And to answer an emergency: the user commands, triggers, acknowledgements.
  case operate
  /// And to change the account, its contacts and keychains, tokens and state.
  case administer
  /// To bring in what keychains say and to hear what they are to show; nothing else.
  case feed

  /// Whether a token of this scope may do what needs that one.
  ///
  /// Bridges of earlier versions have a token of scope operate: they go on feeding, since an
  /// upgrade that refused them would keep their presses from everybody.
  public func allows(_ needed: Scope) -> Bool {
    switch (self, needed) {
    case (.feed, _): needed == .feed
    case (_, .feed): self != .observe
    default: rank >= needed.rank
    }
  }

  private var rank: Int { Self.allCases.firstIndex(of: self)! }
}
