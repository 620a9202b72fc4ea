public import FobBase

extension Reason {
  /// How the presses of a gesture were read.
  public struct Reading: Equatable, Sendable {
    public let meaning: PressDetector.Meaning
    /// Nil: no more is to be said of it.
    public let cause: Cause?
    public let isAgeUnknown: Bool
  }

  /// Why the presses of a gesture mean what they mean. Times are µs.
  public enum Cause: Equatable, Sendable {
    case clicks(Int)
    /// So many, but too late to act on.
    case lateClicks(Int)
    case held(Int64)
    /// By the host's clock its release came so much later.
    case lateRelease(Int64)
    case other(Oddity)
  }

  /// What makes presses an alarm without being counted or timed.
  public enum Oddity: String, Codable, Sendable, CaseIterable {
    /// The gesture that they belong to has raised the alarm.
    case raised
    case moreClicks, noRelease, edgesMissing, endUnheard, pressedTwice, clockBackwards
    /// Only the frozen part of the event can be read.
    case unreadable
    case clockDoubted, heldAtBoot, merged, numberReused, tooManyEvents, tooManyKeychains
  }

  /// What in a keychain's boot contradicts itself: until its next start no press of it is taken for
  /// an older one.
  public enum Contradiction: Equatable, Sendable {
    case numbersLeap(from: EventNumber, to: EventNumber)
    case clockAhead, clockBehind
    case numberTwice(EventNumber)
    /// Its number and its clock contradict those before.
    case disorder(EventNumber)
    case stampedAhead(EventNumber)
    case stampedLongBefore(EventNumber)
  }
}
