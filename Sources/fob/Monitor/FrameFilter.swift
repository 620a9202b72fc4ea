import Capture

/// Which runs are shown: types by name or number, `damaged`, or all.
struct FrameFilter {
  private let wanted: Set<String>?

  static let all = FrameFilter(wanted: nil)

  private init(wanted: Set<String>?) { self.wanted = wanted }

  /// - Parameter text: as in `EVENT,EVENT_ACK,0x7f,damaged`; letters of either case.
  /// - Returns: nil where a name is not known, which is `unknown`.
  init(_ text: String) throws(UnknownType) {
    var wanted: Set<String> = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let name = part.uppercased()
      if name == "DAMAGED" {
        wanted.insert("damaged")
      } else if MessageNames.all.contains(name) {
        wanted.insert(name)
      } else if name.hasPrefix("0X"), let type = UInt8(name.dropFirst(2), radix: 16) {
        wanted.insert(MessageNames.name(of: type))
      } else {
        throw UnknownType(name: String(part))
      }
    }
    self.wanted = wanted
  }

  func shows(_ description: FrameDescription) -> Bool {
    wanted?.contains(description.typeName ?? "damaged") ?? true
  }

  struct UnknownType: Error, CustomStringConvertible {
    let name: String

    var description: String {
      "'\(name)' is no type of frame; one of \(MessageNames.all.joined(separator: ", ")),"
        + " a number as in 0x7f, or damaged"
    }
  }
}
