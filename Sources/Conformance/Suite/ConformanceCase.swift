/// One thing that the protocol demands, and the steps that prove it.
package struct ConformanceCase: Sendable {
  package let chapter: Chapter
  package let slug: String
  /// A sentence.
  package let name: String
  /// Of PROTOCOL.md, as in `4.4`.
  package let section: String
  package let needs: [Ability]
  /// Takes more than 15 s where time cannot be moved.
  package let isLong: Bool
  package let steps: @Sendable (Conversation) throws -> Void

  package init(
    _ chapter: Chapter, _ slug: String, _ section: String, needs: [Ability] = [],
    isLong: Bool = false, _ name: String, _ steps: @escaping @Sendable (Conversation) throws -> Void
  ) {
    self.chapter = chapter
    self.slug = slug
    self.section = section
    self.needs = needs
    self.isLong = isLong
    self.name = name
    self.steps = steps
  }

  /// As in `reliability/ack-lost`: stays, however cases are added.
  package var id: String { "\(chapter.rawValue)/\(slug)" }
}
