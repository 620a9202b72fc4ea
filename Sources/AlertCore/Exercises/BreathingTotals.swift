/// The statistics of breathing (R73), in whole seconds. The average is not kept: it follows.
public struct BreathingTotals: Codable, Equatable, Sendable {
  /// Of all sessions together.
  public internal(set) var seconds = 0
  /// 0 before the first session.
  public internal(set) var shortest = 0
  /// 0 before the first session.
  public internal(set) var longest = 0
  /// How many sessions there were.
  public internal(set) var count = 0

  /// No session yet.
  public init() {}

  /// Nil before the first session.
  public var average: Int? { count == 0 ? nil : seconds / count }

  mutating func add(_ session: Int) {
    shortest = count == 0 ? session : min(shortest, session)
    longest = max(longest, session)
    seconds = min(seconds + session, Self.mostSeconds)
    count = min(count + 1, Self.mostSessions)
  }

  private static let mostHours = 999_999
  private static let mostSeconds = mostHours * 3_600 + 3_599
  private static let mostSessions = 999_999_999

  /// Why they cannot be, as a clause; nil where they can.
  package var misfit: String? {
    guard (0...Self.mostSeconds).contains(seconds), (0...Self.mostSessions).contains(count) else {
      return "a number is out of its range"
    }
    guard 0 <= shortest, shortest <= longest, longest <= seconds else {
      return "the shortest is at most the longest, and that at most the total"
    }
    return count > 0 || seconds == 0 ? nil : "without a session there is no time"
  }
}

/// The file `totalTime.txt` (R74): seconds, minutes and hours of the total, the shortest, the
/// longest and the number of sessions, a line each.
extension BreathingTotals {
  /// Six lines, each with its end.
  public var file: String {
    [seconds % 60, seconds / 60 % 60, seconds / 3_600, shortest, longest, count]
      .map { "\($0)\n" }.joined()
  }

  /// Reads the file, with or without the end of its last line.
  /// - Throws: `UserCommand.Refusal.invalid` with what is wrong.
  public init(file: String) throws(UserCommand.Refusal) {
    func refused(_ why: String) -> UserCommand.Refusal { .invalid("totalTime.txt", why) }
    var lines = file.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    if lines.last?.isEmpty == true { lines.removeLast() }
    guard lines.count == 6 else { throw refused("has \(lines.count) lines, not 6") }
    var numbers: [Int] = []
    for (place, line) in lines.enumerated() {
      let isNumber = line.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
      guard isNumber, (1...12).contains(line.count), let number = Int(Substring(line)) else {
        throw refused("line \(place + 1) is no whole number")
      }
      numbers.append(number)
    }
    guard numbers[0] < 60, numbers[1] < 60 else {
      throw refused("lines 1 and 2 are seconds and minutes, 0 to 59")
    }
    seconds = numbers[2] * 3_600 + numbers[1] * 60 + numbers[0]
    (shortest, longest, count) = (numbers[3], numbers[4], numbers[5])
    if let misfit { throw refused(misfit) }
  }
}
