/// Compares the meanings of one end of a link, as recorded and as played now.
///
/// Events and states are compared in order, each subject by itself; acks, settings and rejects as
/// sets. Two kinds of new meanings are told and are no difference, as the capture may explain
/// them: those before its first state, if it began within a session; and those after its last, if
/// it ended less than `openEnd` after something had happened. Nor is a state that a device showed
/// `briefly` on its host's word in one run alone: it is chance how many orders a device reads at
/// once.
public struct ReplayComparison: Sendable {
  /// The result for one meaning. Only `missing` and `new` are differences.
  public enum Verdict: String, Sendable {
    case same, missing, new
    /// New, but it may have been said before the capture began, or after it ended.
    case before, after
    /// Shown in one run alone, as the host asked for it and at once for the next state. A device
    /// that reads both together shows only the last.
    case brief
  }

  /// One meaning, with its times in both runs.
  public struct Row: Hashable, Sendable {
    /// Said in at least one of the runs.
    public let meaning: Meaning
    /// Says whether the row is a difference.
    public let verdict: Verdict
    /// Microseconds since the beginning of the recorded run; nil where it was not said then.
    public let then: Int64?
    /// The same for the run now.
    public let now: Int64?
  }

  /// A state that stands for less than this may be passed over by another device. Microseconds.
  public static let briefly: Int64 = 50_000

  /// The longest that an answer may take, in microseconds.
  public static let openEnd: Int64 = 2_000_000

  /// In the order of `then`, or of `now` where nothing was said then.
  public let rows: [Row]

  /// `now` has the meanings of ``ReplayPlayer/heardMeanings``.
  public init(_ script: ReplayScript, now: [TimedMeaning]) {
    var rows: [Row] = []
    for subject in Meaning.Subject.allCases {
      let then = script.expected.filter { $0.meaning.subject == subject }
      let now = now.filter { $0.meaning.subject == subject }
      rows +=
        subject.isOrdered
        ? Self.inOrder(then, now, script) : Self.asSets(then, now, script)
    }
    self.rows = rows.enumerated().sorted { a, b in
      let (first, second) = (Self.time(a.element), Self.time(b.element))
      return first == second ? a.offset < b.offset : first < second
    }.map(\.element)
  }

  /// How many rows have this verdict.
  public func count(_ verdict: Verdict) -> Int { rows.count { $0.verdict == verdict } }

  /// True if nothing is missing and nothing is new; the other verdicts do not count.
  public var isSame: Bool { count(.missing) == 0 && count(.new) == 0 }

  private static func time(_ row: Row) -> Int64 { row.then ?? row.now ?? 0 }

  private static func inOrder(
    _ then: [TimedMeaning], _ now: [TimedMeaning], _ script: ReplayScript
  ) -> [Row] {
    let difference = now.map(\.meaning).difference(from: then.map(\.meaning))
    var removed: Set<Int> = []
    var inserted: Set<Int> = []
    for change in difference {
      switch change {
      case .remove(let offset, _, _): removed.insert(offset)
      case .insert(let offset, _, _): inserted.insert(offset)
      }
    }
    let kept = now.indices.filter { !inserted.contains($0) }
    let hasOpenEnd = hasOpenEnd(after: then.last?.at, script)
    let keptThen = then.indices.filter { !removed.contains($0) }
    var rows = zip(keptThen, kept).map { old, new in
      Row(meaning: then[old].meaning, verdict: .same, then: then[old].at, now: now[new].at)
    }
    rows += removed.sorted().map {
      let verdict: Verdict = script.isBrief(then, $0) ? .brief : .missing
      return Row(meaning: then[$0].meaning, verdict: verdict, then: then[$0].at, now: nil)
    }
    rows += inserted.sorted().map { index in
      // Where no meaning is the same, only the first counts as before: the state it was already in.
      let isBefore = index < kept.first ?? 1
      // After the last recorded meaning. If that one is missing, this came in its place.
      let isAfter = index > kept.last ?? -1 && keptThen.last == then.indices.last
      let verdict: Verdict =
        isBefore && script.beginsWithinSession
        ? .before : isAfter && hasOpenEnd ? .after : script.isBrief(now, index) ? .brief : .new
      return Row(meaning: now[index].meaning, verdict: verdict, then: nil, now: now[index].at)
    }
    return rows
  }

  private static func asSets(
    _ then: [TimedMeaning], _ now: [TimedMeaning], _ script: ReplayScript
  ) -> [Row] {
    let first = { (list: [TimedMeaning]) in
      Dictionary(list.map { ($0.meaning, $0.at) }, uniquingKeysWith: { first, _ in first })
    }
    let (thenAt, nowAt) = (first(then), first(now))
    var rows = then.map { said in
      Row(
        meaning: said.meaning, verdict: nowAt[said.meaning] == nil ? .missing : .same,
        then: said.at, now: nowAt[said.meaning])
    }
    for said in now where thenAt[said.meaning] == nil {
      // Only an ack answers an event; the capture may have ended before the ack came.
      let sent = said.meaning.subject == .acked ? script.eventTimes[said.meaning.text] : nil
      let isAfter = sent.map { script.line.duration - $0 < openEnd } ?? false
      let isBefore = said.meaning.subject == .linked && script.beginsWithinSession
      rows.append(
        Row(
          meaning: said.meaning, verdict: isAfter ? .after : isBefore ? .before : .new, then: nil,
          now: said.at))
    }
    return rows
  }

  /// Whether the capture ended before the last recorded event or state could take effect.
  private static func hasOpenEnd(after last: Int64?, _ script: ReplayScript) -> Bool {
    let causes = script.eventTimes.values.max()
    guard let latest = [last, causes].compactMap(\.self).max() else { return false }
    return script.line.duration - latest < openEnd
  }
}
