import FobBase
import WireProtocol

/// Exercises, reviews and lines of the owner: none of them stands before an alarm.
extension HostWitness {
  mutating func said(
    _ word: ExerciseWord, at now: Instant, _ violationLog: inout ViolationLog
  ) {
    if case .started(let kind, _) = word, isLocked {
      violationLog.accuse(
        .changedWhileLocked, at: now,
        "host \(index + 1) began \(kind.rawValue) in the middle of an alarm")
    }
    let account = account
    exercises.said(
      word, owns: account.owns, isLocked: isLocked, at: now, &violationLog)
  }

  /// A core is asked for what it has of the owner, when it has started and at the end.
  mutating func read(
    _ reviewRows: [Batch.ReviewRow], _ breathing: BreathingRecord, at now: Instant,
    _ violationLog: inout ViolationLog
  ) {
    let isStart = startedAt == now
    if isErased, !reviewRows.isEmpty || breathing != BreathingRecord() {
      accuseErased("reviews, or breathing", at: now, &violationLog)
    }
    reviews.read(reviewRows, isStart: isStart, at: now, &violationLog)
    exercises.read(breathing, isStart: isStart, at: now, &violationLog)
  }

  // MARK: Locked

  /// What stands beside the alarm does not change in the middle of one. What was asked for before
  /// may be stored then, also later, where the disk did not take it at first.
  mutating func checkUnchanged(
    _ batch: Batch, at now: Instant, _ violationLog: inout ViolationLog
  ) {
    let isChange =
      !batch.reviews.isEmpty || !batch.removedReviews.isEmpty || !batch.slots.isEmpty
      || batch.affirmations > 0
    guard isChange, isRunning, isLocked, !isCompanionLoose,
      !requests.waits({ $0.isOfCompanion })
    else { return }
    violationLog.accuse(
      .changedWhileLocked, at: now,
      "host \(index + 1) changed what nobody may change in the middle of an alarm")
  }

  /// Somebody who asked for a change of a companion is answered.
  mutating func answeredOfCompanion(
    _ request: RequestRecord.Request, isRefused: Bool, isDurable: Bool, at now: Instant,
    _ violationLog: inout ViolationLog
  ) {
    guard request.userRequest.isOfCompanion else { return }
    reviews.answered(
      request.userRequest, request.number, isRefused: isRefused, isDurable: isDurable)
    guard !isRefused else { return }
    if !isDurable { isCompanionLoose = true }
    guard request.wasLocked else { return }
    violationLog.accuse(
      .changedWhileLocked, at: now,
      "host \(index + 1) did \(request.userRequest.text) in the middle of an alarm")
  }
}

extension UserRequest {
  /// A change of what stands beside the alarm, of which nothing changes in the middle of one.
  var isOfCompanion: Bool {
    switch self {
    case .startExercise, .stopExercise, .countItem, .clickBreathes, .saveTotals, .beginReview,
      .saveAnswer, .completeReview, .deleteReview, .label, .addLine, .fillSlot, .emptySlot:
      true
    default: false
    }
  }
}
