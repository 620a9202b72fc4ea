public import FobBase
import WireProtocol

/// The exercises of an account (R69 to R74, R77): which runs, and the statistics of breathing. It
/// decides; the core performs.
///
/// ```
/// start → runs → click | page | alarm | message | check-in | time | lost | restart → totals
/// ```
///
/// One runs at a time. Of breathing the latest session is stored, every 10 s while it runs; of
/// grounding nothing is.
public struct Exercises: Sendable {
  /// As last set.
  public internal(set) var settings = ExerciseSettings()
  /// Of breathing, without the session that runs.
  public internal(set) var totals = BreathingTotals()
  /// What runs; nil: nothing does.
  public private(set) var running: Running? {
    get { lasting?.running }
    set { lasting = newValue.map { LastingExercise($0) } }
  }
  private var lasting: LastingExercise?
  /// The last session of breathing that is over.
  public private(set) var last: ExerciseSession?
  /// When the last exercise of this run ended.
  private(set) var endedAt: Timestamp?

  /// An exercise that runs, and what is due of it by the clock of this boot.
  public struct Running: Sendable {
    /// Which one it is.
    public let exercise: Exercise
    /// The keychain whose light shows it; nil: each of the account's.
    public let device: DeviceID?
    /// Who started it: "button", a role, or a token's name.
    public let by: String
    /// When it began.
    public let startedAt: Timestamp
    /// Since when its light is the one that is shown; nil: another is.
    public internal(set) var litSince: Timestamp?
    /// How far grounding is.
    public fileprivate(set) var grounding = Grounding()
    /// The incident that was open at its start: one of an unclaimed device.
    let incident: IncidentID?
    /// The session as stored.
    fileprivate var session: ExerciseSession
    fileprivate var storesAt: Timestamp
    fileprivate var lostAt: Timestamp?

    fileprivate var endsAt: Timestamp { startedAt + Exercises.longest }
  }

  /// No exercise lasts longer.
  static let longest = Interval.seconds(Int64(longestSeconds))
  static let longestSeconds = 30 * 60
  /// For so long a keychain shows what it was last told to.
  static let lease = Interval.seconds(5)
  private static let storeEvery = Interval.seconds(10)

  init() {}

  @inline(__always)
  var isRunning: Bool { lasting != nil }

  /// What a keychain shows of an exercise; nil: nothing.
  /// - Parameter device: a keychain; nil: one that no exercise names.
  @inline(__always)
  func light(on device: DeviceID?) -> Indication? {
    guard let running, running.device == nil || running.device == device else { return nil }
    return switch running.exercise {
    case .breathing: Indication(state: .breathing)
    case .grounding: Indication(state: .due, detail: UInt8(running.grounding.left))
    }
  }

  /// A single keychain shows the exercise.
  @inline(__always)
  var asksSingleKeychain: Bool { lasting?.running.device != nil }

  /// When something is due.
  @inline(__always)
  var nextWake: Timestamp? {
    running.flatMap {
      let due = Timestamp.earlier($0.lostAt, $0.endsAt)
      return $0.exercise == .breathing ? .earlier(due, $0.storesAt) : due
    }
  }

  // MARK: Running

  /// - Parameters:
  ///   - event: the click that starts it; nil: a request does.
  ///   - incident: the one that is open.
  mutating func start(
    _ exercise: Exercise, on device: DeviceID?, by who: String, of event: EventIdentity? = nil,
    during incident: IncidentID?, at now: Timestamp, _ output: inout CoreOutput
  ) {
    let session = ExerciseSession(device: device?.text, by: who, startedWall: now.wall)
    running = Running(
      exercise: exercise, device: device, by: who, startedAt: now, incident: incident,
      session: session, storesAt: now + Self.storeEvery)
    if exercise == .breathing { output.changes.exercises.append(.session(session)) }
    tell(.exerciseStarted, exercise, by: who, of: event, at: now, &output)
  }

  /// Ends what runs.
  /// - Parameter event: the click that ends it.
  mutating func end(
    _ end: ExerciseSession.End, by who: String = "core", of event: EventIdentity? = nil,
    at now: Timestamp, _ output: inout CoreOutput
  ) {
    guard let running else { return }
    self.running = nil
    endedAt = now
    let seconds = running.seconds(at: now)
    if running.exercise == .breathing {
      finish(running.session, end, after: seconds, at: now.wall, &output)
    }
    tell(
      .exerciseEnded, running.exercise, end, after: seconds, by: who, of: event, at: now, &output)
  }

  /// Counts one item of grounding; the last one ends it.
  mutating func count(
    by who: String, of event: EventIdentity? = nil, at now: Timestamp, _ output: inout CoreOutput
  ) {
    running?.grounding.count()
    if running?.grounding.left == 0 { end(.done, by: who, of: event, at: now, &output) }
  }

  /// Grounding begins again.
  mutating func retry() { running?.grounding = Grounding() }

  /// Its light is the one that is shown, or another is.
  mutating func show(_ isLit: Bool, at now: Timestamp) {
    if (running?.litSince != nil) != isLit { running?.litSince = isLit ? now : nil }
  }

  /// Does what is due by the clock.
  /// - Parameter isReachable: the keychain that shows it is linked.
  mutating func pass(isReachable: Bool, at now: Timestamp, _ output: inout CoreOutput) {
    guard var current = running else { return }
    current.lostAt = isReachable ? nil : current.lostAt ?? now + Self.lease
    if current.exercise == .breathing, current.storesAt.at <= now.at {
      current.session.seconds = current.seconds(at: now)
      current.storesAt = now + Self.storeEvery
      output.changes.exercises.append(.session(current.session))
    }
    running = current
    if let lostAt = current.lostAt, lostAt.at <= now.at {
      end(.lost, at: now, &output)
    } else if current.endsAt.at <= now.at {
      end(.time, at: now, &output)
    }
  }

  private mutating func finish(
    _ session: ExerciseSession, _ end: ExerciseSession.End, after seconds: Int, at wall: Int64,
    _ output: inout CoreOutput
  ) {
    var over = session
    over.seconds = seconds
    over.end = end
    over.endedWall = wall
    totals.add(seconds)
    last = over
    output.changes.exercises += [.session(over), .totals(totals)]
  }

  /// Of grounding watchers alone are told: nothing of it is stored.
  private func tell(
    _ name: AuditEvent.Name, _ exercise: Exercise, _ end: ExerciseSession.End? = nil,
    after seconds: Int? = nil, by who: String, of event: EventIdentity?, at now: Timestamp,
    _ output: inout CoreOutput
  ) {
    let told = AuditEvent(
      name, at: now, by: who, of: event, .exercise(exercise, end: end, seconds: seconds))
    if exercise == .breathing { output.note(told) } else { output.events.append(told) }
  }

  // MARK: Settings and totals

  mutating func set(
    _ settings: ExerciseSettings, by who: String, at now: Timestamp, _ output: inout CoreOutput
  ) {
    self.settings = settings
    output.changes.exercises.append(.settings(settings))
    output.note(AuditEvent(.exerciseSettingsChanged, at: now, by: who))
  }

  mutating func set(
    _ totals: BreathingTotals, by who: String, at now: Timestamp, _ output: inout CoreOutput
  ) {
    self.totals = totals
    output.changes.exercises.append(.totals(totals))
    output.note(AuditEvent(.exerciseTotalsChanged, at: now, by: who))
  }

  // MARK: Restart

  /// A session that an earlier run left open ends as it was last stored.
  mutating func recover(
    _ stored: StoredExercises, at now: Timestamp, _ output: inout CoreOutput
  ) {
    settings = stored.settings
    totals = stored.totals
    last = stored.session
    guard let open = stored.session, open.end == nil else { return }
    let wall = open.startedWall + Int64(open.seconds) * 1_000_000
    finish(open, .restart, after: open.seconds, at: wall, &output)
    tell(
      .exerciseEnded, .breathing, .restart, after: open.seconds, by: "core", of: nil, at: now,
      &output)
  }
}

/// Behind a reference, since each step asks whether an exercise runs, and mostly none does.
private final class LastingExercise: Sendable {
  let running: Exercises.Running

  init(_ running: Exercises.Running) { self.running = running }
}

extension Exercises.Running {
  /// How long it has lasted, in whole seconds.
  func seconds(at now: Timestamp) -> Int {
    min(max(0, Int(now.since(startedAt).microseconds / 1_000_000)), Exercises.longestSeconds)
  }
}
