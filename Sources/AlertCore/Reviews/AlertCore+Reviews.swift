import FobBase

/// A request about reviews. All are refused as `locked` while an alarm of the account is open; all
/// but `decline` need the PIN after set-up.
public enum ReviewCommand: Equatable, Sendable {
  /// Of an alarm that is over, or of none.
  case begin(IncidentID?)
  /// - step: 1 to 4.
  /// - version: the one of the step that the writer saw; another is refused as `changed`.
  case save(Int, step: Int, text: String, version: Int)
  /// All four steps have their answer.
  case complete(Int)
  case delete(Int)
  /// The steps of new reviews.
  case template([ReviewStep])
  /// The last alarm is not to be looked back on: its review can be begun later all the same.
  case decline
  /// What an alarm that is over was, as the owner knows it now (R61); the incident as the store has
  /// it.
  indirect case outcome(Incident, Survey)
}

/// The reviews beside the alarm: no press waits for them.
extension AlertCore {
  mutating func perform(
    _ command: ReviewCommand, isProven: Bool, by who: String, at now: Timestamp,
    _ output: inout CoreOutput
  ) -> (refusal: UserCommand.Refusal?, made: Int?) {
    if let companionRefusal { return (companionRefusal, nil) }
    guard isProven || command == .decline || !engine.account.asksForPIN else {
      return (.pinNeeded, nil)
    }
    switch command {
    case .begin(let incident):
      guard incident == nil || engine.open?.id != incident else { return (.nothingEnded, nil) }
      do throws(UserCommand.Refusal) {
        return (nil, try reviews.begin(incident, by: who, at: now, &output))
      } catch {
        return (error, nil)
      }
    case .save(let id, let step, let text, let version):
      let refusal = reviews.save(
        text, of: step, version: version, in: id, by: who, at: now, &output)
      return (refusal, nil)
    case .complete(let id): return (reviews.complete(id, by: who, at: now, &output), nil)
    case .delete(let id): return (reviews.delete(id, by: who, at: now, &output), nil)
    case .template(let steps): return (reviews.set(steps, by: who, at: now, &output), nil)
    case .decline: reviews.decline(by: who, at: now, &output)
    case .outcome(let incident, let survey):
      return (engine.label(incident, survey, by: who, at: now, &output), nil)
    }
    return (nil, nil)
  }
}
