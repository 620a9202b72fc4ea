import FobBase

/// Remembers the exercises of one host: who asked for them, which runs, and how long was breathed.
struct ExerciseWitness: Sendable {
  private struct Run: Sendable {
    let kind: ExerciseKind
    let since: Instant

    /// Whole seconds that it has lasted.
    func seconds(at now: Instant) -> Int { Int((now - since).microseconds / 1_000_000) }
  }

  let index: Int
  /// Somebody has asked that a click starts breathing.
  private var mayClick = false
  /// When each was last asked for, and which totals were: the core acts at once.
  private var askedAt: [ExerciseKind: Instant] = [:]
  private var totals: BreathingRecord?
  private var run: Run?
  /// The longest session of breathing that this run of the core knows.
  private var longest = 0
  /// When it said that a light breathes, and had said of no exercise that it runs.
  private var unknownSince: Instant?
  /// Since when one runs, or a light is told to show one, in the middle of an alarm.
  private var hiddenSince: Instant?
  /// By its last word to any keychain a light breathes.
  private var isShown = false
  /// What the core must say of breathing now.
  private var expected = BreathingRecord()
  /// What the disk has of sessions that are over, and of the one that is not.
  private var kept = BreathingRecord()
  private var open: Batch.SessionRow?

  init(_ index: Int) { self.index = index }

  // MARK: Asking

  mutating func asked(_ userRequest: UserRequest, at now: Instant) {
    switch userRequest {
    case .startExercise(let kind, _): askedAt[kind] = now
    case .clickBreathes(true): mayClick = true
    case .saveTotals(let totals): self.totals = totals
    default: break
    }
  }

  /// Grounding shows what is left as check-ins show how many are due.
  func mayGround(at now: Instant) -> Bool {
    run?.kind == .grounding || askedAt[.grounding] == now
  }

  // MARK: What it says

  /// - Parameter owns: whether a keychain is the account's.
  mutating func said(
    _ word: ExerciseWord, owns: (DeviceID) -> Bool, isLocked: Bool, at now: Instant,
    _ violationLog: inout ViolationLog
  ) {
    switch word {
    case .started(let kind, let click):
      let isAsked =
        click.map { kind == .breathing && mayClick && owns($0) } ?? (askedAt[kind] == now)
      if !isAsked {
        violationLog.accuse(
          .exerciseInvented, at: now,
          "host \(index + 1) began \(kind.rawValue), which nobody had started")
      }
      run = Run(kind: kind, since: now)
      unknownSince = nil
    case .ended(let kind):
      if kind == .breathing, let run, run.kind == kind {
        expected.add(run.seconds(at: now))
        longest = max(longest, run.seconds(at: now))
      }
      run = nil
    case .totalsReplaced: if let totals { expected = totals }
    case .brokenOff: break
    }
    weigh(isLocked: isLocked, at: now)
  }

  /// - Parameter isBreathing: a light is told to breathe, else to show another state.
  mutating func indicated(_ isBreathing: Bool, isLocked: Bool, at now: Instant) {
    isShown = isBreathing
    unknownSince = isBreathing && run?.kind != .breathing ? unknownSince ?? now : nil
    weigh(isLocked: isLocked, at: now)
  }

  mutating func weigh(isLocked: Bool, at now: Instant) {
    if isLocked { unknownSince = nil }
    hiddenSince = isLocked && (run != nil || isShown) ? hiddenSince ?? now : nil
  }

  // MARK: The disk

  mutating func stored(_ batch: Batch, at now: Instant, _ violationLog: inout ViolationLog) {
    if let totals = batch.breathing { kept = totals }
    guard let session = batch.session else { return }
    open = session.isOver ? nil : session
    // A session of before may be stored late.
    if let run, session.seconds > max(longest, run.seconds(at: now)) {
      violationLog.accuse(
        .totalWrong, at: now,
        "host \(index + 1) stored \(session.seconds) s of breathing after"
          + " \(run.seconds(at: now)) s")
    }
  }

  /// A disk that has lied says what it really holds.
  mutating func found(_ found: Batch) {
    kept = found.breathing ?? BreathingRecord()
    open = found.session.flatMap { $0.isOver ? nil : $0 }
  }

  // MARK: Its life

  /// The account is erased: nobody breathes, and nobody has.
  mutating func erased(at now: Instant) {
    (run, expected, longest) = (nil, BreathingRecord(), 0)
    unknownSince = isShown ? now : nil
  }

  /// A session that was broken off counts as long as the disk has it.
  mutating func stopped() {
    expected = kept
    if let open { expected.add(open.seconds) }
    longest = open?.seconds ?? 0
    run = nil
    unknownSince = nil
    hiddenSince = nil
    isShown = false
  }

  /// The core is asked for its totals: when it has started, and at the end.
  mutating func read(
    _ said: BreathingRecord, isStart: Bool, at now: Instant, _ violationLog: inout ViolationLog
  ) {
    if isStart { stopped() }
    if said != expected {
      violationLog.accuse(
        .totalWrong, at: now,
        "host \(index + 1) counts \(said.text), and there were \(expected.text)")
    }
    expected = said
  }

  /// What runs is stored each ten seconds, so that a crash takes no more.
  func finish(at now: Instant, _ violationLog: inout ViolationLog) {
    guard let run, run.kind == .breathing,
      (open?.seconds ?? 0) + Self.lost < run.seconds(at: now)
    else { return }
    violationLog.accuse(
      .totalWrong, at: now,
      "host \(index + 1) has stored \(open?.seconds ?? 0) s of \(run.seconds(at: now)) s")
  }

  private static let lost = 12

  // MARK: Time

  var deadline: Instant? {
    .earlier(unknownSince.map { $0 + Rules.atOnce }, hiddenSince.map { $0 + Rules.atOnce })
  }

  mutating func check(at now: Instant, _ violationLog: inout ViolationLog) {
    if let over = Rules.takeOverdue(&unknownSince, at: now) {
      violationLog.accuse(
        .exerciseInvented, at: over,
        "host \(index + 1) has a light breathe, and nobody breathes")
    }
    if let over = Rules.takeOverdue(&hiddenSince, at: now) {
      violationLog.accuse(
        .exerciseHidAlarm, at: over,
        "host \(index + 1) goes on with an exercise in the middle of an alarm")
    }
  }
}

extension Batch {
  /// A session of breathing, as it is last.
  public struct SessionRow: Sendable {
    /// How long it has lasted, as far as it is stored.
    public var seconds: Int
    /// The totals have it.
    public var isOver: Bool

    /// Made from what the store was given.
    public init(seconds: Int, isOver: Bool) {
      self.seconds = seconds
      self.isOver = isOver
    }
  }
}
