/// The kinds of things that can happen to a world. Each seed draws its own subset, and coverage
/// counts by kind.
public enum Fault: Int, Sendable, CaseIterable {
  // Fingers
  case press, hold, clicks, frantic, stuck
  // Lines
  case drop, flip, double, insert, split, stall, delay, unplug, move
  // Boards
  case powerCut, reset, storeFailing, storeForgetful, bootCounterLost, clockJump, lowBattery
  case gpsStory
  // Keychains that are defective or lie
  case clockIll, numbersIll, noncesIll, idBorrowed, readingsIll
  // Hosts
  case kill, reboot, wallJump
  // Disks
  case diskSlow, diskFull, diskHanging, diskLying, diskFailingLate
  // Notification channels
  case refused, silent, slow, answerLost
  // People
  case acknowledge, disarm, cancel, silence, quit, resume, wrongPIN
  // The account, and programs
  case logIn, logOut, claim, disconnect, contactAdded, contactRemoved, protect, trigger
  case endUnowned
  // A bridge, and its way to its core
  case feedCut, feedSlow, batchLost, batchAnswerLost, batchDoubled, streamEnded, bridgeKill
  // Check-ins
  case seriesAdded, seriesEdited, seriesRemoved, completed, restored, zoneChange, unprotect
  // The five messages
  case slotFilled, slotEmptied, messageSent
  // Exercises and the owner's lines
  case exerciseStarted, exerciseStopped, itemCounted, clickSet, totalsSaved, lineAdded
  // Reviews
  case reviewBegun, answerSaved, reviewCompleted, reviewDeleted, outcomeChanged
  // The end of an account
  case erased
  // Somebody on the wires
  case frameDropped, frameHeld, frameReplayed, frameForged, frameRelayed, sealStripped

  /// Ordinary events, which every world may draw.
  var isOrdinary: Bool {
    switch self {
    case .press, .acknowledge, .disarm, .resume: true
    default: false
    }
  }

  /// Defects, drawn apart from all other faults: most worlds have only keychains that are well.
  var isDefect: Bool {
    switch self {
    case .clockIll, .numbersIll, .noncesIll, .idBorrowed, .readingsIll: true
    default: false
    }
  }

  /// Faults of the account, drawn apart from others, in one world of three.
  var isOfAccount: Bool {
    switch self {
    case .logIn, .logOut, .claim, .disconnect, .contactAdded, .contactRemoved, .protect, .trigger,
      .endUnowned:
      true
    default: false
    }
  }

  /// Faults of a bridge, drawn apart from others, where there is a bridge.
  var isOfBridge: Bool {
    switch self {
    case .feedCut, .feedSlow, .batchLost, .batchAnswerLost, .batchDoubled, .streamEnded,
      .bridgeKill:
      true
    default: false
    }
  }

  /// Faults of the five messages, drawn apart from others, where somebody has them.
  var isOfMessages: Bool {
    switch self {
    case .slotFilled, .slotEmptied, .messageSent: true
    default: false
    }
  }

  /// Faults of exercises and reviews, drawn apart from others, where somebody has them.
  var isOfCalm: Bool {
    switch self {
    case .exerciseStarted, .exerciseStopped, .itemCounted, .clickSet, .totalsSaved, .lineAdded,
      .reviewBegun, .answerSaved, .reviewCompleted, .reviewDeleted, .outcomeChanged:
      true
    default: false
    }
  }

  /// Faults of check-ins, drawn apart from others, where somebody asks.
  var isOfCheckIns: Bool {
    switch self {
    case .seriesAdded, .seriesEdited, .seriesRemoved, .completed, .restored, .zoneChange,
      .unprotect:
      true
    default: false
    }
  }

  /// What somebody on the wires does.
  public var isAttack: Bool {
    switch self {
    case .frameDropped, .frameHeld, .frameReplayed, .frameForged, .frameRelayed, .sealStripped: true
    default: false
    }
  }

  /// Whether it may meet an attack. A defective keychain's filter would break the seal, a bridge
  /// has no key, a clock that goes back makes old frames new, and a keychain that cannot read its
  /// store does not know that it is paired.
  var isOfAttackedWorld: Bool {
    !isDefect && !isOfBridge && self != .clockJump && self != .storeFailing
  }

  var isOfEveryWorld: Bool {
    !isDefect && !isOfAccount && !isOfBridge && !isOfCheckIns && !isOfMessages
      && !isOfCalm && !isAttack && self != .erased
  }

  /// How often it is drawn, relative to the other faults of its world.
  var weight: Int {
    switch self {
    case .press: 12
    case .hold, .clicks, .kill, .feedCut: 6
    case .powerCut, .unplug, .disarm, .acknowledge: 4
    case .frantic, .stuck, .bootCounterLost, .gpsStory: 1
    default: 3
    }
  }
}

extension Sequence<Fault> {
  /// Each fault as often as its weight, for a draw of one.
  var lots: [Fault] { flatMap { Array(repeating: $0, count: $0.weight) } }
}
