public import FobBase

/// How presses are read, and all times of the core.
public struct Policy: Equatable, Sendable {
  /// How edges become meaning.
  public var profile = PressProfile.literal
  /// Before a deliberate press is told (G1): 0 s; a bench may set 120.
  public var buttonCountdown = Interval.zero
  /// Before an automatic trigger is told (R41, G20).
  public var triggerCountdown = Interval.seconds(120)
  /// The countries that are served, as two letters (R57); empty: every one.
  public var servedCountries: [String] = []
  /// The account is a bench's: what it raises without a keychain reaches test channels alone.
  public var isBench = false
  /// Mails can be sent, so the owner can confirm the mail address (R12).
  public var canMail = false
  /// From SENT, or the last press after it, to the end of the emergency (R45, R55).
  public var tracking = Interval.minutes(30)
  /// Between messages while nobody has acknowledged (R37, G2).
  public var messageEvery = Interval.minutes(5)
  /// Where several keychains are pressed in one incident, people are told of further presses at
  /// most so often, with their number.
  public var fleetUpdateEvery = Interval.seconds(10)
  /// Of further presses that come without the proof of their keychain, people are told at most so
  /// often, with their number.
  public var unprovedUpdateEvery = Interval.minutes(1)
  /// Sending without any acceptance counts as failed after this (R46).
  public var failAfter = Interval.minutes(15)
  /// The wait after the first round of refusals by a contact's channels; doubled each round.
  public var firstRetry = Interval.seconds(1)
  /// The doubling stops here.
  public var maxRetryDelay = Interval.seconds(30)
  /// A sink without an answer for so long counts as having refused.
  public var answerWithin = Interval.seconds(60)
  /// People are told when the commit is done, when it has failed, or after this time, whichever
  /// comes first (rule "truth before light").
  public var tellLatest = Interval.milliseconds(100)
  /// Changes that nobody waits for are committed after this time, with what came meanwhile.
  public var noteDelay = Interval.milliseconds(20)
  /// After a commit that failed, until the next try.
  public var commitRetry = Interval.seconds(1)
  /// A commit without an answer for so long counts as a failure of the store.
  public var commitWithin = Interval.seconds(5)
  /// Between two points of a track, at least.
  public var fixEvery = Interval.seconds(5)
  /// How many new presses of one line are taken, and as many other events.
  public var eventPace = Limits.eventPace
  /// The same over hours.
  public var lastingEventPace = Limits.lastingEventPace

  /// The values that the requirements ask for, in profile `literal`.
  public init() {}
}
