import Testing

/// A deliberate mistake, as a programmer makes it. Each stands between a machine and the world, and
/// does there what the mistake in the machine would have done.
enum PlantedMistake: String, CaseIterable, CustomTestStringConvertible {
  // The keychain
  case resendGivesUp = "resending gives up after some tries"
  case forgottenWhenSent = "an event is forgotten once it is sent"
  case windowBlocksPress = "a press made while four wait is not kept"
  case numberReused = "two events of one boot get the same number"
  case bootNotCounted = "a boot is not counted"
  case debouncedTooLong = "debouncing takes longer than it says"
  case leaseIgnored = "the light believes a dead host for ever"

  // The commit queue
  case ackBeforeCommit = "an event is acked before its commit"
  case duplicateAckedWhilePending = "a duplicate is acked while its commit is pending"
  case duplicateNotAcked = "a duplicate of a committed event is not acked again"
  case knownEventsForgotten = "a restart forgets which events are known"
  case holdForgottenByCrash = "a restart forgets what is not yet decoded"
  case failureAnsweredAsDurable = "a failed commit is answered as durable"
  case answerBeforeCommit = "a person is answered before the commit"
  case lightBeforeCommit = "the light says accepted before the press is durable"

  // The engine
  case emergencyForgotten = "a restart forgets the open emergency"
  case deadlineForgotten = "a restart forgets when the emergency began"
  case wrongPINDisarms = "a wrong PIN disarms"
  case clockJumpTrusted = "a keychain's clock is trusted after it has jumped"
  case olderByNumberAlone = "a press is older than a disarm by its number alone"
  case olderByClockAlone = "a press is older than a disarm by its clock alone"

  // The account, and programs
  case unclaimedPressRaises = "a press of an unclaimed keychain raises the owner's alarm"
  case unclaimedPressDropped = "a press of an unclaimed keychain is not kept"
  case ownersPressJoinsUnclaimed = "a press of the owner's joins what is unclaimed"
  case claimForgetsPress = "a claim forgets the press that was unclaimed"
  case logOutForgetsIncident = "logging out forgets the open incident"
  case changedInAlarm = "the account changes in the middle of an alarm"
  case disarmEndsUnclaimed = "the PIN ends what is unclaimed"
  case accountForgotten = "a restart forgets what has changed of the account"
  case newContactUntold = "a contact who was added is not told"
  case triggerDoubled = "a trigger that comes again opens a second incident"
  case triggerLost = "a trigger is lost while something waits for the store"
  case triggersForgotten = "a restart forgets which triggers were taken"
  case pressWaitsInCountdown = "a press in a countdown waits for its end"

  // Accounts of one process
  case eventAtNeighbor = "an event is handed to the account beside its keychain's owner"
  case endReachesNeighbor = "the end of one owner's alarm ends another's"
  case acknowledgedForNeighbor = "who has one owner's alarm in hand has another's"
  case lightReachesNeighbor = "a light goes to the keychains of all accounts"
  case sharedRowsLost = "a crash loses the rows of all but one account of a transaction"
  case neighborsRowsRead = "a start reads the incident of the account before"

  // Telling
  case secondContactForgotten = "only the first contact is told"
  case refusalTakenForAnswer = "a refused message counts as delivered"
  case retryGivesUp = "a message is tried once"
  case secondWayForgotten = "a second notification channel is never tried"
  case failedWayStopsOthers = "a notification channel that fails stops the others"
  case endToldOnOneWay = "the end is told by one notification channel alone"
  case messageDoubled = "a message is handed out twice"
  case outboxReordered = "two messages to one contact change places"
  case cancelOvertakesRaise = "the all-clear does not wait for the alarm"
  case closingForgotten = "nobody is told of the end"
  case outboxForgotten = "a restart forgets the messages that wait"
  case aliasesForgotten = "the end is told by one name alone"

  // A bridge to a core elsewhere
  case overdueAcked = "a batch that waits too long is answered as committed"
  case failedPostAcked = "a bridge acks what it could not post"
  case leapDropped = "a batch whose number leaps is dropped"
  case silentCoreShown = "a bridge goes on showing what a silent core has said"

  // Check-ins
  case zoneIgnored = "check-ins go by UTC, whatever the zone is"
  case openCheckInsForgotten = "a restart forgets which check-ins are open"
  case checkInHurried = "a check-in raises the alarm once it is due"
  case escalationForgotten = "a restart forgets which check-ins have raised an alarm"
  case answerForgotten = "a restart forgets which check-ins were answered"
  case dueHidesAlarm = "a light goes on saying that a check-in is due in an alarm"

  // The five messages
  case messagesForgotten = "a restart forgets which messages wait"
  case messageSentAnew = "a restart sends again what was accepted"
  case messageOvertakesAlarm = "a message does not wait for the alarm's"
  case secondMessageSent = "a slot's second message within a minute is sent"
  case emptySlotBelieved = "clicks of a slot that is not complete are only recorded"

  // Exercises and reviews
  case breathingHidesAlarm = "a light goes on breathing in an alarm"
  case clicksAlwaysBreathe = "a click starts breathing, whatever the owner has chosen"
  case brokenSessionForgotten = "a restart forgets the breathing that it broke off"
  case lastAnswerForgotten = "a restart forgets the last answer of each review"
  case answerLogged = "watchers are told what an answer says"
  case reviewBegunTwice = "an alarm gets a second review"
  case reviewedInAlarm = "a review changes in the middle of an alarm"

  // The end of an account
  case companionsOutliveErasure = "an erasure leaves what stands beside the account on the disk"
  case messagesOutliveErasure = "an erasure leaves the messages on the disk that wait for people"

  // The sealed link
  case tagUnchecked = "a keychain believes a sealed frame whatever its tag"
  case unsealedBelieved = "a paired keychain believes frames that are not sealed"
  case helloEndsSeal = "HELLO of anybody ends the seal until the next proof"
  case heldBackBelieved = "a light that was held back is believed"
  case ackByNumber = "an ack is for whatever has its number"
  case unpairedByAnybody = "UNPAIR needs no seal"
  case keyForgottenAtReset = "a keychain forgets its key at a reset"
  case proofAskedOnce = "the proof is asked for once"
  case sessionKeyRepeats = "the session key has no nonce and no boot in it"
  case counterRepeats = "a sealed frame counts a second time"
  case hostBelievesUnsealed = "a host believes frames of a paired keychain that are not sealed"
  case hostChecksNoTag = "a host believes a sealed frame whatever its tag"
  case unprovedEventCounts = "an event other than a press counts without a proof"
  case eventOfOneSession = "an event is proved in one session alone"
  case unprovedPressLeft = "a press without a proof waits for one"
  case proofMakesSecondEntry = "the proof of a press makes a second entry"
  case keysForgotten = "a restart of a host forgets its keys"

  var testDescription: String { rawValue }

  /// One world in hundreds leaves room for it: too few for a run of every day.
  private var isRare: Bool {
    switch self {
    case .clockJumpTrusted, .aliasesForgotten, .triggersForgotten, .messageOvertakesAlarm: true
    default: false
    }
  }

  /// Where the search met it last: a run of every day begins there. A number that is no longer
  /// right costs time alone, since the search goes on.
  var firstSeed: UInt64 {
    switch self {
    case .answerBeforeCommit, .lightBeforeCommit, .messageDoubled, .cancelOvertakesRaise,
      .closingForgotten, .brokenSessionForgotten:
      2
    case .duplicateAckedWhilePending, .outboxReordered: 3
    case .eventAtNeighbor, .lightReachesNeighbor: 12
    case .neighborsRowsRead: 13
    case .endReachesNeighbor: 16
    case .acknowledgedForNeighbor: 74
    case .sharedRowsLost: 506
    case .proofAskedOnce, .helloEndsSeal: 20
    case .sessionKeyRepeats: 43
    case .heldBackBelieved: 173
    case .emergencyForgotten, .logOutForgetsIncident, .changedInAlarm: 4
    case .duplicateNotAcked, .secondContactForgotten, .clicksAlwaysBreathe: 5
    case .debouncedTooLong, .knownEventsForgotten, .retryGivesUp, .lastAnswerForgotten,
      .answerLogged, .reviewedInAlarm:
      6
    case .unclaimedPressDropped, .accountForgotten, .companionsOutliveErasure,
      .messagesOutliveErasure:
      9
    case .disarmEndsUnclaimed, .zoneIgnored, .secondMessageSent, .wrongPINDisarms: 10
    case .olderByClockAlone, .failureAnsweredAsDurable, .unclaimedPressRaises, .reviewBegunTwice: 14
    case .leapDropped, .refusalTakenForAnswer, .emptySlotBelieved, .messageSentAnew: 16
    case .pressWaitsInCountdown: 20
    case .triggerLost, .holdForgottenByCrash: 22
    case .answerForgotten, .deadlineForgotten: 26
    case .leaseIgnored: 37
    case .outboxForgotten, .ownersPressJoinsUnclaimed, .claimForgetsPress: 40
    case .bootNotCounted, .olderByNumberAlone, .newContactUntold: 49
    case .numberReused: 56
    case .silentCoreShown, .openCheckInsForgotten, .dueHidesAlarm: 61
    case .checkInHurried, .triggerDoubled, .breathingHidesAlarm: 72
    case .secondWayForgotten, .failedWayStopsOthers, .endToldOnOneWay: 106
    case .messagesForgotten: 120
    case .escalationForgotten: 200
    default: 1
    }
  }

  /// Only worlds with somebody on the wires have room for it.
  var isOfSeal: Bool {
    switch self {
    case .tagUnchecked, .unsealedBelieved, .helloEndsSeal, .heldBackBelieved, .ackByNumber,
      .unpairedByAnybody, .keyForgottenAtReset, .proofAskedOnce, .sessionKeyRepeats,
      .counterRepeats, .hostBelievesUnsealed, .hostChecksNoTag, .unprovedEventCounts,
      .eventOfOneSession, .unprovedPressLeft, .proofMakesSecondEntry, .keysForgotten:
      true
    default: false
    }
  }

  static var common: [PlantedMistake] { allCases.filter { !$0.isRare } }
}
