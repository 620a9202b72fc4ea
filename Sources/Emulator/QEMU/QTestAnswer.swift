package import FobBase

/// A line of QEMU's qtest server.
enum QTestAnswer: Hashable {
  case done(String)
  case failed(String)
  case interrupt(QTestInterrupt)

  /// Nil for what is none of them.
  init?(_ line: [UInt8], at now: Instant) {
    let text = String(decoding: line, as: UTF8.self)
    let words = text.split(separator: " ")
    switch words.first {
    case "OK": self = .done(text.dropFirst(3).description)
    case "FAIL": self = .failed(text.dropFirst(5).description)
    case "IRQ":
      guard words.count == 3, let line = Int(words[2]), ["raise", "lower"].contains(words[1])
      else { return nil }
      self = .interrupt(QTestInterrupt(line: line, isRaised: words[1] == "raise", at: now))
    default: return nil
    }
  }
}

/// A line of the intercepted device has changed.
package struct QTestInterrupt: Hashable, Sendable {
  package let line: Int
  package let isRaised: Bool
  /// When we read it: CLOCK_BOOTTIME of the host.
  package let at: Instant
}
