import AlertCore
import FobBase
import Judge

/// Exercises and lines of the owner: what people ask for, and what the core and the disk say.
extension World {
  func tellExercise(_ auditEvent: AuditEvent, _ host: SimulatedHost) {
    var word: ExerciseWord?
    switch auditEvent.name {
    case .exerciseTotalsChanged: word = .totalsReplaced
    case .exerciseStarted, .exerciseEnded:
      guard case .exercise(let exercise, let end, _)? = auditEvent.facts?.reason else { return }
      let kind = ExerciseKind(exercise)
      let click = auditEvent.event == nil ? nil : auditEvent.device.flatMap { DeviceID(text: $0) }
      word =
        auditEvent.name == .exerciseStarted
        ? .started(kind, click: click) : end == .restart ? .brokenOff : .ended(kind)
    default: break
    }
    if let word { see(.exerciseSaid(host: host.index, word)) }
  }

  /// Asks the core for what it has of the owner: when it has started, and at the end.
  func readCompanions(_ host: SimulatedHost) {
    let setting = schedule.setting
    guard setting.hasExercises || setting.hasReviews, let run = host.run else { return }
    let reviews = run.core.reviews.reviews.values.sorted { $0.id < $1.id }
    see(
      .companionsRead(
        host: host.index, reviews.map { Batch.ReviewRow($0) },
        BreathingRecord(run.core.exercises.totals)))
  }
}

extension ExerciseKind {
  init(_ exercise: Exercise) { self = exercise == .breathing ? .breathing : .grounding }
}

extension BreathingRecord {
  init(_ totals: BreathingTotals) { self.init(seconds: totals.seconds, count: totals.count) }
}

extension BreathingTotals {
  /// Sessions of equal length, as far as whole seconds allow.
  init(_ record: BreathingRecord) {
    let share = record.count == 0 ? 0 : record.seconds / record.count
    let lines = [
      record.seconds % 60, record.seconds / 60 % 60, record.seconds / 3_600, share, share,
      record.count,
    ]
    // The file is the only way in, as it is for people.
    self = try! BreathingTotals(file: lines.map { "\($0)\n" }.joined())
  }
}

extension ExerciseCommand {
  /// Nil for a request about something else.
  init?(_ userRequest: UserRequest) {
    switch userRequest {
    case .startExercise(let kind, let device):
      self = .start(kind == .breathing ? .breathing : .grounding, device: device?.text)
    case .stopExercise: self = .stop
    case .countItem: self = .count
    case .clickBreathes(let isOn):
      var settings = ExerciseSettings()
      settings.oneClickBreathes = isOn
      self = .settings(settings)
    case .saveTotals(let record): self = .totals(BreathingTotals(record))
    default: return nil
    }
  }
}

extension Batch {
  mutating func add(_ changes: [ExerciseChange]) {
    for change in changes {
      switch change {
      case .session(let changed):
        session = SessionRow(seconds: changed.seconds, isOver: changed.end != nil)
      case .totals(let totals): breathing = BreathingRecord(totals)
      case .settings: break
      }
    }
  }

  mutating func add(_ stored: StoredExercises) {
    breathing = BreathingRecord(stored.totals)
    if let session = stored.session { add([.session(session)]) }
  }
}
