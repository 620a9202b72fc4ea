public import FobBase
import Judge

/// What a search has found, as a file has it: searches of many machines become one by `merged`.
public struct SearchReport: Codable, Equatable, Sendable {
  /// How often a fault struck in a state of an emergency, during an activity; never 0.
  public struct Cell: Codable, Equatable, Sendable {
    public let fault: String
    /// R40's states; nil for a host whose process was down.
    public let state: String?
    public let activity: String
    public let count: UInt64
  }

  /// A broken rule, and the seed of its world.
  public struct Finding: Codable, Equatable, Sendable {
    public let seed: UInt64
    public let rule: String
    /// µs since the world's beginning.
    public let at: Int64
    public let detail: String
  }

  /// Seeds that were played, both included.
  public struct Seeds: Codable, Equatable, Sendable {
    public let first: UInt64
    public fileprivate(set) var last: UInt64
  }

  /// Why reports do not make one.
  public enum Mismatch: Error, Equatable {
    /// The program of one draws other worlds from the same seeds, or plays them otherwise.
    case otherWorlds
    /// In one of them somebody is on the wires.
    case attacked
    /// Both count this seed.
    case playedTwice(UInt64)
  }

  /// The trace hash of seed 0, 16 hexadecimal digits: the same where all seeds mean the same.
  public let worlds: String
  public let attacked: Bool
  /// In order, with all that is missing between them.
  public private(set) var seeds: [Seeds]
  public private(set) var schedules: Int
  /// Virtual time, counted once for each keychain.
  public private(set) var deviceMicroseconds: Int64
  /// Of all threads together.
  public private(set) var playingMicroseconds: Int64
  /// Events that disks or boards had said they had, and had not.
  public private(set) var excused: Int
  /// The sum of all trace hashes, 16 hexadecimal digits.
  public private(set) var hash: String
  public private(set) var violations: [Finding]
  public private(set) var coverage: [Cell]

  /// - Parameters:
  ///   - summary: of seeds in order from `first` on.
  ///   - playing: of all threads together.
  public init(
    _ summary: SearchSummary, from first: UInt64, isAttacked: Bool, playing: Interval
  ) {
    worlds = Hex.text(Schedule(seed: 0).play().hash, digits: 16)
    attacked = isAttacked
    schedules = summary.schedules
    seeds =
      schedules == 0 ? [] : [Seeds(first: first, last: first + UInt64(summary.schedules - 1))]
    deviceMicroseconds = summary.deviceMicroseconds
    playingMicroseconds = playing.microseconds
    excused = summary.excused
    hash = Hex.text(summary.hash, digits: 16)
    violations = summary.found.map { [Finding($0)] } ?? []
    coverage = Self.cells(of: summary.coverage)
  }

  /// Whether its numbers can be of a search: for one that was read from a file. None is past 2^53,
  /// so that no sum of many overflows.
  public var isSound: Bool {
    let most: Int64 = 1 << 53
    let counts = [Int64(schedules), deviceMicroseconds, playingMicroseconds, Int64(excused)]
    guard counts.allSatisfy({ (0...most).contains($0) }), hash.utf8.count == 16,
      hash.allSatisfy(\.isHexDigit),
      coverage.allSatisfy({ $0.count <= UInt64(most) }),
      Set(coverage.map { "\($0.fault) \($0.state ?? "") \($0.activity)" }).count == coverage.count
    else { return false }
    var played: UInt64 = 0
    var last: UInt64?
    for piece in seeds {
      guard piece.first <= piece.last, last.map({ piece.first > $0 }) ?? true,
        piece.last - piece.first < UInt64(most)
      else { return false }
      played += piece.last - piece.first + 1
      guard played <= UInt64(most) else { return false }
      last = piece.last
    }
    return played == UInt64(schedules)
  }

  /// One report of both: what each has counted, and the violations of both.
  /// - Parameter other: sound, as this one is.
  public func merged(with other: SearchReport) throws(Mismatch) -> SearchReport {
    guard worlds == other.worlds else { throw .otherWorlds }
    guard attacked == other.attacked else { throw .attacked }
    var whole = self
    whole.seeds = try Self.joined(seeds + other.seeds)
    whole.schedules += other.schedules
    whole.deviceMicroseconds += other.deviceMicroseconds
    whole.playingMicroseconds += other.playingMicroseconds
    whole.excused += other.excused
    whole.hash = Hex.text(
      (UInt64(hash, radix: 16) ?? 0) &+ (UInt64(other.hash, radix: 16) ?? 0), digits: 16)
    whole.violations = (violations + other.violations).sorted { $0.seed < $1.seed }
    var met = Coverage(self)
    met.add(Coverage(other))
    whole.coverage = Self.cells(of: met)
    return whole
  }

  /// The seeds of `wanted` that nobody has played.
  public func missing(of wanted: ClosedRange<UInt64>) -> [ClosedRange<UInt64>] {
    var missing: [ClosedRange<UInt64>] = []
    var next = wanted.lowerBound
    for played in seeds where played.last >= next {
      guard played.first <= wanted.upperBound else { break }
      if played.first > next { missing.append(next...played.first - 1) }
      guard played.last < wanted.upperBound else { return missing }
      next = played.last + 1
    }
    return missing + [next...wanted.upperBound]
  }

  private static func cells(of coverage: Coverage) -> [Cell] {
    coverage.cells.map { cell in
      Cell(
        fault: "\(cell.fault)", state: cell.state?.rawValue, activity: "\(cell.activity)",
        count: cell.count)
    }
  }

  private static func joined(_ seeds: [Seeds]) throws(Mismatch) -> [Seeds] {
    var joined: [Seeds] = []
    for piece in seeds.sorted(by: { $0.first < $1.first }) {
      guard let last = joined.last?.last else {
        joined.append(piece)
        continue
      }
      guard piece.first > last else { throw .playedTwice(piece.first) }
      if piece.first == last + 1 {
        joined[joined.count - 1].last = piece.last
      } else {
        joined.append(piece)
      }
    }
    return joined
  }
}

extension SearchReport.Finding {
  init(_ found: SearchSummary.Found) {
    seed = found.seed
    rule = found.violation.rule.rawValue
    at = found.violation.at.microseconds
    detail = found.violation.detail
  }
}

extension Coverage {
  /// That of a report; what this program has no fault, state or activity for is left out.
  public init(_ report: SearchReport) {
    self.init()
    let faults = Dictionary(uniqueKeysWithValues: Fault.allCases.map { ("\($0)", $0) })
    let activities = Dictionary(uniqueKeysWithValues: Activity.allCases.map { ("\($0)", $0) })
    for cell in report.coverage {
      guard let fault = faults[cell.fault], let activity = activities[cell.activity],
        let state = Self.states.first(where: { $0?.rawValue == cell.state })
      else { continue }
      add(cell.count, fault, in: state, activity)
    }
  }
}
