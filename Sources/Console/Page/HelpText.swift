import CPage

/// A help text as it was shipped, byte for byte: `Sources/CPage/page/help` (R78). Page, API and
/// command line have the same.
public struct HelpText: Sendable {
  /// What of the view Calm it explains.
  public enum Topic: String, Sendable, CaseIterable {
    case messages, breathing, affirmations, grounding
  }

  /// The languages that each is written in, those of the page.
  public enum Language: String, Sendable, CaseIterable { case en, de, fr, es }

  /// UTF-8; the last line has its newline, too.
  public let bytes: [UInt8]

  /// - Parameters:
  ///   - topic: each has a text.
  ///   - language: in each of them.
  public init(_ topic: Topic, in language: Language) {
    let path = "help/\(language)/\(topic).txt"
    let files = (0..<cpage_file_count()).lazy.map { cpage_file_at($0) }
    guard let file = files.first(where: { String(cString: $0.path) == path }) else {
      preconditionFailure("there is no \(path)")
    }
    bytes = Array(UnsafeBufferPointer(start: file.bytes, count: file.count))
  }
}

extension HelpText.Language {
  /// The language of a tag as "de-CH" (RFC 5646); nil where no text is in it.
  init?(tag: some StringProtocol) {
    let base = tag.prefix { $0 != "-" }.lowercased()
    self.init(rawValue: base)
  }

  /// The first that somebody wishes by Accept-Language (RFC 9110, 12.5.4), the heaviest first.
  init?(accepted header: String) {
    let wishes = header.split(separator: ",").compactMap { item -> (Self, weight: Double)? in
      let parts = item.split(separator: ";").map { $0.filter { $0 != " " } }
      guard let language = parts.first.flatMap({ Self(tag: $0) }) else { return nil }
      let quality = parts.dropFirst().first { $0.hasPrefix("q=") }?.dropFirst(2)
      return (language, quality.map { Double($0) ?? 0 } ?? 1)
    }
    // Of two that weigh the same, the first is wanted.
    let best = wishes.reduce(into: nil as (Self, weight: Double)?) { best, wish in
      if wish.weight > best?.weight ?? 0 { best = wish }
    }
    guard let best else { return nil }
    self = best.0
  }
}
