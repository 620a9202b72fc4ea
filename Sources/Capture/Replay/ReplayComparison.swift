/// What one end of a link meant then and now, side by side.
///
/// Events and states are compared in their order, each kind of meaning for itself; acks, settings
/// and refusals as sets. What the cut of the capture may explain is told and is no difference:
/// what was said before its first state when it began within a session, and what came after its
/// last when it ended less than `openEnd` after something had happened. So is a state that a
/// device shows `briefly` on its host's word: how many orders it reads at once is chance.
public struct ReplayComparison: Sendable {
  public enum Verdict: String, Sendable {
    case same, missing, new
    /// New, but the capture began or ended where it may have been said as well.
    case before, after
    /// New, but the host asked for it then as well, and at once for what came next: a device that
    /// hears both together shows the last alone.
    case brief
  }

  public struct Row: Hashable, Sendable {
    public let meaning: Meaning
    public let verdict: Verdict
    /// Microseconds since the beginning of each run; nil where it was not said.
    public let then: Int64?
    public let now: Int64?
  }

  /// How long a state stands at most that another device may pass over, in microseconds.
  public static let briefly: Int64 = 50_000

  /// As long as an answer may take, in microseconds.
  public static let openEnd: Int64 = 2_000_000

  /// In the order of time, then before now.
  public let rows: [Row]

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

  public func count(_ verdict: Verdict) -> Int { rows.count { $0.verdict == verdict } }

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
      Row(meaning: then[$0].meaning, verdict: .missing, then: then[$0].at, now: nil)
    }
    rows += inserted.sorted().map { index in
      // Where nothing is the same, only the state that it was in already.
      let isBefore = index < kept.first ?? 1
      // Behind the last of then; where that is missing, what came instead is no afterthought.
      let isAfter = index > kept.last ?? -1 && keptThen.last == then.indices.last
      let isBrief =
        script.end == .host && script.askedStates.contains(now[index].meaning)
        && now.indices.contains(index + 1) && now[index + 1].at - now[index].at < briefly
      let verdict: Verdict =
        isBefore && script.beginsWithinSession
        ? .before : isAfter && hasOpenEnd ? .after : isBrief ? .brief : .new
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
      // Only an ack is owed to somebody; the capture may have ended before it came.
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

  /// Whether what the last event or state then led to may lie beyond the end of the capture.
  private static func hasOpenEnd(after last: Int64?, _ script: ReplayScript) -> Bool {
    let causes = script.eventTimes.values.max()
    guard let latest = [last, causes].compactMap(\.self).max() else { return false }
    return script.line.duration - latest < openEnd
  }
}
