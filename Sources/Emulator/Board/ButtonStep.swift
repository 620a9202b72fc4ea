import Firmware
import FobBase

/// A piece of what the contact will do.
enum ButtonStep: Sendable {
  case edge(ButtonEdge)
  /// A tired spring lets go again and again, and is closed at both ends.
  case chatter(from: Instant, to: Instant)

  var edge: ButtonEdge? {
    if case .edge(let edge) = self { edge } else { nil }
  }
}
