public import FobBase
public import WireProtocol

/// Plays one end of a recorded line to the end that is there now, and notes the meanings of that
/// one. Pure: bytes and time in, bytes out.
///
/// With the pace `asCaptured` a step is sent at its recorded time. With `fast` it is sent as soon
/// as the other end has repeated what it said before that step, so that a cause still comes before
/// its effect, and no later than after the recorded time and `patience`.
public struct ReplayPlayer: Sendable {
  /// Keeps the recorded times, or goes on as soon as the other end has said what it said before.
  public enum Pace: Sendable { case asCaptured, fast }

  private let script: ReplayScript
  private let pace: Pace
  private let patience: Interval
  private var end: any PlayedEnd
  private var cutter = FrameSplitter()
  private var reader = MeaningReader()
  /// When position 0 was; nil before playing has begun.
  private var began: Instant?
  private var nextStep = 0
  private var sequence: UInt16 = 0
  private var answers: [FrameEdit] = []
  /// When the last step was sent, or playing began.
  private var lastPlayed = Instant(microseconds: 0)
  /// When the other end last said something that has a meaning.
  private var lastHeard = Instant(microseconds: 0)
  private var isGone = false
  /// This many of `expected`, from the first, are no longer waited for.
  private var waived = 0
  private var counts: [Meaning: Int] = [:]
  /// For each of `expected`: how many times its meaning has been said up to there.
  private let occurrences: [Int]
  /// The meanings of the other end since playing began, in order, without repetitions.
  public private(set) var heardMeanings: [TimedMeaning] = []

  /// - Parameters:
  ///   - patience: how much longer than the recorded time an expected meaning is waited for.
  ///   - keys: of paired devices, to seal anew what is played. Without one it is played unsealed.
  ///   - nonce: never used before with these keys.
  public init(
    _ script: ReplayScript, pace: Pace, patience: Interval, keys: [DeviceID: PairingKey] = [:],
    nonce: UInt64 = 0
  ) {
    self.script = script
    self.pace = pace
    self.patience = patience
    end = script.makeEnd(keys, nonce: nonce)
    var counts: [Meaning: Int] = [:]
    occurrences = script.expected.map { expected in
      counts[expected.meaning, default: 0] += 1
      return counts[expected.meaning] ?? 0
    }
  }

  /// False until the played end is ready: a device waits for its host's HELLO.
  public var hasBegun: Bool { began != nil }
  /// Whether what is played was sealed: the other end has shown that it has the same key.
  public var isProved: Bool { end.isProved }
  /// Why the other end does not obey; nil where it does, or nothing is known of that.
  public var obstacle: SealObstacle? { end.obstacle }
  /// Steps done so far, including those that a live answer replaces.
  public var played: Int { nextStep }

  // MARK: In

  /// Call it when the other end is there. A host begins to play at once.
  public mutating func opened(at now: Instant) { beginIfReady(at: now) }

  /// The other end has left: there is no more to come.
  public mutating func gone() { isGone = true }

  /// Takes bytes of the other end, in pieces of any size. Damaged runs are ignored.
  public mutating func heard(_ bytes: some Sequence<UInt8>, at now: Instant) {
    for run in cutter.cut(bytes) {
      guard case .frame(let body) = run.content else { continue }
      let frame = DescribedFrame(body: body, direction: script.end.hears)
      answers += end.heard(frame, body: body, position: position(at: now), at: now)
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

  /// The next bytes to send now. Call it until it returns nil.
  public mutating func nextBytes(at now: Instant) -> [UInt8]? {
    if !answers.isEmpty { return wire(answers.removeFirst(), at: now) }
    while began != nil, !isGone, nextStep < script.steps.count, now >= due(at: now) {
      let step = script.steps[nextStep]
      if pace == .fast { waived = max(waived, step.after) }
      nextStep += 1
      lastPlayed = now
      guard let body = step.run.body, let frame = step.run.frame else {
        // Noise is sent as it was, closed by a delimiter, so that it costs no whole frame.
        return step.run.bytes.last == 0 ? step.run.bytes : step.run.bytes + [0]
      }
      guard let edit = end.adapted(frame, body: body) else { continue }
      if frame.name == "EVENT" {
        reader.learn(
          event: DescribedFrame(body: edit.body, direction: .toHost), body: edit.body)
      }
      return wire(edit, at: now)
    }
    return nil
  }

  /// When to call `nextBytes` and `isFinished` again; nil before playing has begun, and after the
  /// other end has left.
  public func nextWake(at now: Instant) -> Instant? {
    guard began != nil, !isGone else { return nil }
    if !answers.isEmpty { return now }
    if nextStep < script.steps.count { return due(at: now) }
    return isHeard(script.expected.count) ? min(quiet, lastWait) : lastWait
  }

  /// Whether all steps are done and all expected meanings have come or were waited for, or the
  /// other end has left.
  public func isFinished(at now: Instant) -> Bool {
    if isGone { return true }
    guard began != nil, nextStep == script.steps.count, answers.isEmpty else { return false }
    if now >= lastWait { return true }
    return now >= quiet && isHeard(script.expected.count)
  }

  private mutating func wire(_ edit: FrameEdit, at now: Instant) -> [UInt8] {
    var edit = edit
    edit.number(sequence)
    sequence &+= 1
    return edit.wire(sealedBy: &end, at: now)
  }

  // MARK: Time

  /// The position in the capture, in microseconds: never past a step that waits.
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
    if let until = end.waitsForProof, now < until { return until }
    switch pace {
    case .asCaptured: return (began ?? now) + .microseconds(step.at)
    case .fast:
      if isHeard(step.after) { return now }
      return lastPlayed + .microseconds(step.at - previousAt) + patience
    }
  }

  private var previousAt: Int64 { nextStep == 0 ? 0 : script.steps[nextStep - 1].at }

  /// With `fast`: how long something new may follow the last bytes.
  private static let settling = Interval.milliseconds(500)

  /// When playing ends if all expected meanings have come.
  private var quiet: Instant {
    switch pace {
    case .asCaptured: (began ?? lastPlayed) + .microseconds(script.line.duration)
    case .fast: max(lastPlayed, lastHeard) + Self.settling
    }
  }

  /// When missing meanings are no longer waited for.
  private var lastWait: Instant {
    let end = Interval.microseconds(script.line.duration)
    switch pace {
    case .asCaptured: return (began ?? lastPlayed) + end + patience
    case .fast: return lastPlayed + end - .microseconds(previousAt) + max(patience, Self.settling)
    }
  }

  /// Whether the first `count` of `expected` have come, except those that are no longer waited for
  /// and those that a device may pass over.
  private func isHeard(_ count: Int) -> Bool {
    guard waived < count else { return true }
    return (waived..<count).allSatisfy {
      counts[script.expected[$0].meaning, default: 0] >= occurrences[$0]
        || script.isBrief(script.expected, $0)
    }
  }
}
