import Foundation
import Glibc

/// What one check says of a bench.
struct Finding: Encodable, Equatable {
  enum Level: String, Encodable, Comparable, CaseIterable {
    case ok, warning, error

    static func < (a: Level, b: Level) -> Bool { a.rank < b.rank }

    private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
  }

  let check: String
  let level: Level
  /// What is so.
  let text: String
  /// What to do about it; nil where nothing is to be done.
  var hint: String?

  private enum CodingKeys: String, CodingKey {
    case check, level, text
    case hint = "wayOut"
  }

  static func ok(_ check: String, _ text: String) -> Finding {
    Finding(check: check, level: .ok, text: text)
  }

  static func warning(_ check: String, _ text: String, _ hint: String) -> Finding {
    Finding(check: check, level: .warning, text: text, hint: hint)
  }

  static func error(_ check: String, _ text: String, _ hint: String) -> Finding {
    Finding(check: check, level: .error, text: text, hint: hint)
  }

  /// The same where nobody needs USB: no fault, but told.
  var forUSBAlone: Finding {
    guard level != .ok else { return self }
    return Finding(check: check, level: .ok, text: "for USB alone: \(text)", hint: hint)
  }

  /// `error    rule        it is not installed; make install-udev`
  var line: String {
    let columns = [(level.rawValue, 9), (check, 13)].map { text, width in
      text + String(repeating: " ", count: max(1, width - text.count))
    }
    return columns.joined() + text + (hint.map { "; \($0)" } ?? "")
  }
}

/// One thing to look at: made of what was read, and judged from that alone.
protocol BenchCheck {
  /// What it looks at matters to keychains on USB alone.
  static var isOfUSB: Bool { get }

  init(_ bench: BenchRoot)
  var findings: [Finding] { get }
}

extension BenchCheck {
  static var isOfUSB: Bool { false }
}

/// A machine's files, all below one folder, so that a test can make a bench up. Nothing is written
/// and no device is opened.
struct BenchRoot {
  /// What comes before `/etc`, `/sys`, `/proc`, …: nothing, or a folder.
  let root: String

  /// A file's text without the blanks round it; nil for what is not there or is over 16 MiB.
  func text(_ path: String) -> String? {
    guard let file = FileHandle(forReadingAtPath: root + path),
      let data = try? file.read(upToCount: Self.longest + 1) ?? Data(), data.count <= Self.longest
    else { return nil }
    return String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
  }

  func number(_ path: String) -> Int? { text(path).flatMap { Int($0) } }

  func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: root + path) }

  /// The names in a folder, sorted; none where there is no such folder.
  func entries(_ path: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: root + path)) ?? []).sorted()
  }

  /// Where a symbolic link leads; nil for what is none.
  func target(_ path: String) -> String? {
    try? FileManager.default.destinationOfSymbolicLink(atPath: root + path)
  }

  /// Whether this process may read and write it.
  func mayOpen(_ path: String) -> Bool { access(root + path, R_OK | W_OK) == 0 }

  /// The numbers of the processes that run.
  var processes: [Int] { entries("/proc").compactMap { Int($0) } }

  /// Whether a program of this name runs.
  func runs(_ program: String) -> Bool {
    processes.contains { text("/proc/\($0)/comm") == program }
  }

  private static let longest = 16 << 20
}
