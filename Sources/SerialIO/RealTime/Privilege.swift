import FobBase
import Glibc

/// What this process may do beyond any other (capabilities(7)).
enum Privilege: Int {
  case lockMemory = 14
  case nice = 23

  /// As the kernel has it for this process; false where it does not tell.
  var isHeld: Bool { Self.holds(self, ofStatus: Self.status() ?? "") }

  /// - Parameter text: as /proc/PID/status has it.
  static func holds(_ privilege: Privilege, ofStatus text: String) -> Bool {
    guard let field = value(of: "CapEff", in: text), let set = UInt64(field, radix: 16) else {
      return false
    }
    return set >> UInt64(privilege.rawValue) & 1 == 1
  }

  /// A field of /proc/PID/status, up to the first space.
  static func value(of name: String, in text: String) -> String? {
    for line in text.split(separator: "\n") where line.hasPrefix(name + ":") {
      return line.dropFirst(name.utf8.count + 1).split(whereSeparator: \.isWhitespace).first
        .map(String.init)
    }
    return nil
  }

  static func status() -> String? { KernelText.read("/proc/self/status") }
}
