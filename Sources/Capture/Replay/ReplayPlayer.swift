public import FobBase

/// Plays one end of a recorded line to whoever is at the other end now, and takes down what that
/// one means. Pure: bytes and time in, bytes out.
///
/// With its own timing a step is said when its time has come. Fast, it is said as soon as the
/// other end has said what it had said before that step then, so that a cause still comes before
/// its effect; and no later than it took then and `patience`.
public struct ReplayPlayer: Sendable {
  public enum Pace: Sendable { case asCaptured, fast }

  private let script: ReplayScript
  private let pace: Pace
  private let patience: Interval
  private var end: any PlayedEnd
  private var cutter = FrameSplitter()
  private var reader = MeaningReader()
  /// When position 0 was; nil before the first step may be said.
  private var began: Instant?
  private var nextStep = 0
  private var sequence: UInt16 = 0
  private var answers: [FrameEdit] = []
  /// When the last step was said, or playing began.
  private var lastPlayed = Instant(microseconds: 0)
  /// When anything was last said that means something.
  private var lastHeard = Instant(microseconds: 0)
  private var isGone = false
  /// Of `expected` so many are not waited for any more.
  private var waived = 0
  private var counts: [Meaning: Int] = [:]
  /// Of each of `expected`, which time it is said.
  private let occurrences: [Int]
  public private(set) var heardMeanings: [TimedMeaning] = []

  public init(_ script: ReplayScript, pace: Pace, patience: Interval) {
    self.script = script
    self.pace = pace
    self.patience = patience
    end = script.makeEnd()
    var counts: [Meaning: Int] = [:]
    occurrences = script.expected.map { expected in
      counts[expected.meaning, default: 0] += 1
      return counts[expected.meaning] ?? 0
    }
  }

  public var hasBegun: Bool { began != nil }
  /// Steps said so far, those that are answered as asked included.
  public var played: Int { nextStep }

  // MARK: In

  /// The other end is there.
  public mutating func opened(at now: Instant) { beginIfReady(at: now) }

  /// The other end has left: there is no more to come.
  public mutating func gone() { isGone = true }

  public mutating func heard(_ bytes: some Sequence<UInt8>, at now: Instant) {
    for run in cutter.cut(bytes) {
      guard case .frame(let body) = run.content else { continue }
      let frame = DescribedFrame(body: body, direction: script.end.hears)
      answers += end.heard(frame, body: body, position: position(at: now))
      beginIfReady(at: now)
      guard let began, let meaning = reader.read(frame, body: body) else { continue }
      counts[meaning, default: 0] += 1
      lastHeard = now
      heardMeanings.append(TimedMeaning(at: (now - began).microseconds, meaning))
    }
  }

  private mutating func beginIfReady(at now: Instant) {
    guard began == nil, end.isReady else { return }
    began = now
    lastPlayed = now
    lastHeard = now
    answers += end.begin()
  }

  // MARK: Out

  /// What is due now; call until nil.
  public mutating func nextBytes(at now: Instant) -> [UInt8]? {
    if !answers.isEmpty { return numbered(answers.removeFirst()) }
    while began != nil, !isGone, nextStep < script.steps.count, now >= due(at: now) {
      let step = script.steps[nextStep]
      if pace == .fast { waived = max(waived, step.after) }
      nextStep += 1
      lastPlayed = now
      guard let body = step.run.body, let frame = step.run.frame else {
        // Noise is said as it was, and ended, so that it costs no frame that was whole.
        return step.run.bytes.last == 0 ? step.run.bytes : step.run.bytes + [0]
      }
      guard let edit = end.adapted(frame, body: body) else { continue }
      if frame.name == "EVENT" {
        reader.learn(
          event: DescribedFrame(body: edit.body, direction: .toHost), body: edit.body)
      }
      return numbered(edit)
    }
    return nil
  }

  /// When `nextBytes` or `isFinished` is next worth a call; nil before it has begun.
  public func nextWake(at now: Instant) -> Instant? {
    guard began != nil, !isGone else { return nil }
    if !answers.isEmpty { return now }
    if nextStep < script.steps.count { return due(at: now) }
    return isHeard(script.expected.count) ? min(quiet, lastWait) : lastWait
  }

  /// All has been said, and what was said to it then has been said again or waited for.
  public func isFinished(at now: Instant) -> Bool {
    if isGone { return true }
    guard began != nil, nextStep == script.steps.count, answers.isEmpty else { return false }
    if now >= lastWait { return true }
    return now >= quiet && isHeard(script.expected.count)
  }

  private mutating func numbered(_ edit: FrameEdit) -> [UInt8] {
    var edit = edit
    edit.number(sequence)
    sequence &+= 1
    return edit.wire
  }

  // MARK: Time

  /// Where in the capture the playing is: not past a step that waits to be said.
  private func position(at now: Instant) -> Int64 {
    guard let began else { return 0 }
    let next = nextStep < script.steps.count ? script.steps[nextStep].at : script.line.duration
    switch pace {
    case .asCaptured: return min(next, (now - began).microseconds)
    case .fast: return nextStep == 0 ? 0 : script.steps[nextStep - 1].at
    }
  }

  private func due(at now: Instant) -> Instant {
    let step = script.steps[nextStep]
    switch pace {
    case .asCaptured: return (began ?? now) + .microseconds(step.at)
    case .fast:
      if isHeard(step.after) { return now }
      return lastPlayed + .microseconds(step.at - previousAt) + patience
    }
  }

  private var previousAt: Int64 { nextStep == 0 ? 0 : script.steps[nextStep - 1].at }

  /// Fast, how long something new may follow what was said last.
  private static let settling = Interval.milliseconds(500)

  /// When there is no more to come, if all has been said again.
  private var quiet: Instant {
    switch pace {
    case .asCaptured: (began ?? lastPlayed) + .microseconds(script.line.duration)
    case .fast: max(lastPlayed, lastHeard) + Self.settling
    }
  }

  /// How long what is missing at the end is waited for.
  private var lastWait: Instant {
    let end = Interval.microseconds(script.line.duration)
    switch pace {
    case .asCaptured: return (began ?? lastPlayed) + end + patience
    case .fast: return lastPlayed + end - .microseconds(previousAt) + max(patience, Self.settling)
    }
  }

  /// Whether so many of `expected` have been said, but for those that are waited for no more.
  private func isHeard(_ count: Int) -> Bool {
    guard waived < count else { return true }
    return (waived..<count).allSatisfy {
      counts[script.expected[$0].meaning, default: 0] >= occurrences[$0]
    }
  }
}
