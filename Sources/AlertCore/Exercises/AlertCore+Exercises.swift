import FobBase
import WireProtocol

/// The exercises beside the alarm: whatever means alarm ends them in the same turn.
extension AlertCore {
  // MARK: One click

  /// What one click speaks to, the first that applies: the open alarm, the exercise that runs, a
  /// check-in, or breathing, where the owner has it start that way. Acts on it.
  /// - Returns: nil: the click means what the detector says.
  mutating func oneClick(
    _ press: HeardEvent, _ verdict: PressDetector.Verdict, at now: Timestamp,
    _ output: inout CoreOutput
  ) -> PressDetector.Meaning? {
    let isRecent = verdict.meaning == .acknowledge && engine.owns(press.identity.deviceID)
    guard !speaksToAlarm(press) else { return nil }
    if isRecent, exercises.isHeard(press) {
      speakToExercise(press, at: now, &output)
      return .exercise
    }
    if answersCheckIn(press, verdict, at: now, &output) { return .checkIn }
    guard isRecent, exercises.settings.oneClickBreathes, !exercises.isRunning,
      exercises.hasEnded(before: press), companionRefusal == nil,
      !isCheckInOverdue(at: now)
    else { return nil }
    exercises.start(
      .breathing, on: press.identity.deviceID, by: "button", of: press.identity,
      during: engine.open?.id, at: now, &output)
    return .breathing
  }

  private mutating func speakToExercise(
    _ press: HeardEvent, at now: Timestamp, _ output: inout CoreOutput
  ) {
    switch exercises.running?.exercise {
    case .breathing: exercises.end(.click, by: "button", of: press.identity, at: now, &output)
    case .grounding: exercises.count(by: "button", of: press.identity, at: now, &output)
    case nil: break
    }
  }

  // MARK: Time

  /// One that raises an alarm is shown by the light, and no exercise hides it.
  private func isCheckInOverdue(at now: Timestamp) -> Bool {
    checkIns.open.contains { $0.escalates && $0.due <= now.wall }
  }

  mutating func passExercises(at now: Timestamp, _ output: inout CoreOutput) {
    guard exercises.isRunning, let running = exercises.running else { return }
    let isReachable =
      running.device == nil ? engine.account.isActive : hasKeychain(for: running.device)
    exercises.pass(isReachable: isReachable, at: now, &output)
    if exercises.isRunning, isCheckInOverdue(at: now) {
      exercises.end(.checkIn, at: now, &output)
    }
  }

  /// What the step decided goes before an exercise: any press that means alarm, any incident that
  /// opens, and any message that was asked for.
  mutating func giveWayToStep(at now: Timestamp, _ output: inout CoreOutput) {
    guard let running = exercises.running else { return }
    let changes = output.changes
    let isAlarm =
      engine.open.map { $0.id != running.incident } ?? false
      || changes.events.contains { $0.meaning == .alarm }
      || changes.meanings.values.contains { $0.meaning == .alarm }
    let isMessage = changes.quickMessages.contains {
      if case .send(let send) = $0 { send.attempts == 0 && !send.state.isOver } else { false }
    }
    if isAlarm || isMessage { return exercises.end(isAlarm ? .alarm : .message, at: now, &output) }
    let light = exercises.light(on: running.device)
    let isShown =
      hasKeychain(for: running.device) && indication(at: now, on: running.device) == light
    exercises.show(isShown, at: now)
  }

  /// The keychain that an exercise names, or one of the account's, is linked.
  private func hasKeychain(for device: DeviceID?) -> Bool {
    guard let device else { return book.linked.contains { engine.owns($0.device) } }
    return engine.owns(device) && book.entries[device]?.link != nil
  }

  // MARK: Requests

  mutating func perform(
    _ command: ExerciseCommand, by who: String, at now: Timestamp, _ output: inout CoreOutput
  ) -> UserCommand.Refusal? {
    if let companionRefusal { return companionRefusal }
    switch command {
    case .start(let exercise, let device):
      return start(exercise, on: device, by: who, at: now, &output)
    case .stop:
      guard exercises.isRunning else { return .noExercise }
      exercises.end(.page, by: who, at: now, &output)
    case .count, .retry:
      guard exercises.running?.exercise == .grounding else { return .noExercise }
      if command == .count {
        exercises.count(by: who, at: now, &output)
      } else {
        exercises.retry()
      }
    case .settings(let settings): exercises.set(settings, by: who, at: now, &output)
    case .totals(let totals):
      if let misfit = totals.misfit { return .invalid("totals", misfit) }
      exercises.set(totals, by: who, at: now, &output)
    }
    return nil
  }

  private mutating func start(
    _ exercise: Exercise, on name: String?, by who: String, at now: Timestamp,
    _ output: inout CoreOutput
  ) -> UserCommand.Refusal? {
    guard !exercises.isRunning else { return .exerciseRuns }
    guard !isCheckInOverdue(at: now) else { return .checkInOverdue }
    let device = name.flatMap { DeviceID(text: $0) }
    if name != nil {
      guard let device, book.entries[device]?.link != nil else { return .unknownDevice }
      guard engine.owns(device) else { return .unownedDevice }
    }
    exercises.start(
      exercise, on: device, by: who, during: engine.open?.id, at: now, &output)
    return nil
  }
}

extension Exercises {
  /// One runs that a click speaks to: one that was made before its start does not.
  fileprivate func isHeard(_ press: HeardEvent) -> Bool {
    guard let running else { return false }
    return press.latest >= running.startedAt.instant
  }

  /// A click that was made while one still ran starts none.
  fileprivate func hasEnded(before press: HeardEvent) -> Bool {
    endedAt.map { press.earliest > $0.instant } ?? true
  }
}

extension HeardEvent {
  fileprivate var latest: Int64 { happenedAt?.upperBound ?? receivedAt.instant }
  fileprivate var earliest: Int64 { happenedAt?.lowerBound ?? receivedAt.instant }
}
