import AlertCore
import Emulator
import FobBase
import WireProtocol

/// A host's disk: what a commit has become of it, in trouble and out of it.
struct Disk {
  /// What becomes of one commit.
  struct Fate {
    /// When the store answers; never, while the disk hangs.
    var answersAt: Instant
    /// The answer; nil: committed.
    var failure: String?
  }

  private(set) var tables = Tables()
  var trouble: DiskTrouble?
  /// While it lies: what it really has, and what it only says that it has.
  private var flushed: Tables?
  private var unflushed: [Changes] = []
  /// Written by a commit that failed: there after a crash, perhaps.
  private var limbo: Changes?

  /// A commit begins.
  func fate(_ random: inout SplitMix64, at now: Instant) -> Fate {
    let usual = now + .microseconds(.random(in: 80...2_000, using: &random))
    switch trouble {
    case nil, .lying: return Fate(answersAt: usual)
    case .slow:
      return Fate(answersAt: now + .microseconds(.random(in: 2_000...3_000_000, using: &random)))
    case .hanging: return Fate(answersAt: .never)
    case .full: return Fate(answersAt: usual, failure: "the disk is full")
    case .failingLate:
      return Fate(
        answersAt: now + .microseconds(.random(in: 2_000...500_000, using: &random)),
        failure: "an input/output error")
    }
  }

  mutating func apply(_ changes: Changes) {
    limbo = nil
    if trouble == .lying {
      if flushed == nil { flushed = tables }
      unflushed.append(changes)
    } else {
      flushed = nil
      unflushed = []
    }
    tables.apply(changes)
  }

  mutating func fail(_ changes: Changes) { limbo = trouble == .failingLate ? changes : nil }

  /// What a failed commit had written is found after a crash, or it is not.
  mutating func recoverLimbo(_ random: inout SplitMix64) -> Changes? {
    defer { limbo = nil }
    guard let limbo, Bool.random(using: &random) else { return nil }
    apply(limbo)
    return limbo
  }

  /// The host goes down: what a lying disk had not flushed is gone, from some commit on.
  /// - Returns: the events that it had said it has; nil where it did not lie.
  mutating func losePower(_ random: inout SplitMix64) -> [EventIdentity]? {
    guard var kept = flushed, !unflushed.isEmpty else { return nil }
    let count = Int.random(in: 0...unflushed.count, using: &random)
    for changes in unflushed[..<count] { kept.apply(changes) }
    let before = tables
    tables = kept
    flushed = trouble == .lying ? kept : nil
    let isForgetful = count < unflushed.count
    unflushed = []
    guard isForgetful else { return nil }
    return before.events.map(\.record.identity).filter { !kept.holds($0) }
  }
}
