/// What can happen to a world, by kind: what a seed draws its own subset of, and what coverage
/// counts.
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

  /// What a quiet life is made of: drawn in every world.
  var isOrdinary: Bool {
    switch self {
    case .press, .acknowledge, .disarm, .resume: true
    default: false
    }
  }

  /// What a world is drawn from beside all else: most worlds have well keychains alone.
  var isDefect: Bool {
    switch self {
    case .clockIll, .numbersIll, .noncesIll, .idBorrowed, .readingsIll: true
    default: false
    }
  }

  /// What is drawn in a world of three, beside all else, too.
  var isOfAccount: Bool {
    switch self {
    case .logIn, .logOut, .claim, .disconnect, .contactAdded, .contactRemoved, .protect, .trigger,
      .endUnowned:
      true
    default: false
    }
  }

  /// What is drawn where a bridge is, beside all else, too.
  var isOfBridge: Bool {
    switch self {
    case .feedCut, .feedSlow, .batchLost, .batchAnswerLost, .batchDoubled, .streamEnded,
      .bridgeKill:
      true
    default: false
    }
  }

  var isOfEveryWorld: Bool { !isDefect && !isOfAccount && !isOfBridge }

  /// Of all that a world is drawn from, how often.
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
  /// Each as often as its weight, to draw one of.
  var lots: [Fault] { flatMap { Array(repeating: $0, count: $0.weight) } }
}
