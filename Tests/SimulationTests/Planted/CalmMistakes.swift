import FobBase
import WireProtocol

@testable import AlertCore
@testable import Simulation

/// Mistakes about exercises, reviews, and the end of an account.
struct CalmMistakes {
  private let mistake: PlantedMistake
  /// An exercise ran before the step.
  private var wasRunning = false
  /// To be given back after the step.
  private var hidden: Review?
  private var isUnlocked = false
  private var written: String?

  init(_ mistake: PlantedMistake) { self.mistake = mistake }

  func recovers(_ stored: inout StoredState) {
    switch mistake {
    case .brokenSessionForgotten: stored.exercises.session = nil
    case .lastAnswerForgotten:
      for index in stored.reviews.reviews.indices {
        guard let last = stored.reviews.reviews[index].versions.last else { continue }
        stored.reviews.reviews[index].answers[last.step - 1] = ReviewAnswer()
      }
    default: break
    }
  }

  mutating func hears(_ input: CoreInput, _ host: SimulatedHost) {
    guard let run = host.run else { return }
    wasRunning = run.core.exercises.isRunning
    if mistake == .clicksAlwaysBreathe { run.core.exercises.settings.oneClickBreathes = true }
    guard case .userCommand(_, .review(let command, _), _) = input else { return }
    switch (mistake, command) {
    case (.reviewBegunTwice, .begin(.some(let incident))): hide(run.core.reviews, incident, run)
    case (.reviewedInAlarm, _) where run.core.engine.isLocked:
      isUnlocked = true
      run.core.engine.open?.isUnclaimed = true
    case (.answerLogged, .save(_, _, let text, _)): written = text
    default: break
    }
  }

  /// Shows the core that the alarm has no review.
  private mutating func hide(_ reviews: Reviews, _ incident: IncidentID, _ run: HostRun) {
    guard let review = reviews.review(of: incident) else { return }
    hidden = review
    run.core.reviews.reviews[review.id] = Review(
      review.id, of: nil, review.steps, at: review.createdAt)
  }

  mutating func decided(_ output: inout CoreOutput, _ host: SimulatedHost) {
    guard let run = host.run else { return }
    if let hidden { run.core.reviews.reviews[hidden.id] = hidden }
    hidden = nil
    if isUnlocked { run.core.engine.open?.isUnclaimed = false }
    isUnlocked = false
    if let written, let last = output.events.last {
      output.events.append(AuditEvent(.reviewSaved, at: last.at, by: written))
    }
    written = nil
    if let commit = output.commit {
      let parts = commit.parts.map(spoilt)
      output.commit = CommitBatch(number: commit.number, parts: parts)
    }
    guard mistake == .breathingHidesAlarm, wasRunning, run.core.engine.isLocked else { return }
    for index in output.indications.indices {
      output.indications[index].indication = Indication(state: .breathing)
    }
  }

  /// What the disk is given of them.
  private func spoilt(_ changes: Changes) -> Changes {
    var changes = changes
    guard changes.erasesAccount else { return changes }
    switch mistake {
    case .companionsOutliveErasure: changes.erasesAccount = false
    case .messagesOutliveErasure: changes.messages.removeAll { $0.delivery == .withdrawn }
    default: break
    }
    return changes
  }
}
