import Synchronization

/// What the operator is told about tokens, once of each while the core runs.
final class TokenNotices: Sendable {
  private let tell: @Sendable (String) -> Void
  private let told = Mutex<Set<String>>([])

  init(_ tell: @escaping @Sendable (String) -> Void) { self.tell = tell }

  func tell(_ id: String, _ words: @autoclosure () -> String) {
    let isNew = told.withLock { told in
      // Tokens that are revoked and made anew are not counted for ever.
      told.count < ConsoleLimits.tokens && told.insert(id).inserted
    }
    if isNew { tell(words()) }
  }
}
