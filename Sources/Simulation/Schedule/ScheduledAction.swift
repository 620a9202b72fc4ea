public import Emulator
public import FobBase
public import Judge
import WireProtocol

/// One action on a world, with its time.
public struct ScheduledAction: Sendable {
  /// Time of the world.
  public let at: Instant
  /// What is done, and to whom.
  public let action: FaultAction
  /// Seed for what the action draws while it is done, so that leaving out other acts changes none
  /// of it.
  let seed: UInt64
  /// Its number in the schedule as drawn, from 0; shrinking keeps it.
  public let number: Int
}

/// An action on a world. Keychains, hosts and contacts are numbered from 0.
public enum FaultAction: Equatable, Sendable {
  case press(keychain: Int, hold: Interval)
  case clicks(keychain: Int, Int)
  /// The contact stays closed, whatever the finger does.
  case stick(keychain: Int, for: Interval)

  case spoil(keychain: Int, WireFault.Kind, WireFault.Direction, rate: Double, for: Interval)
  case delay(keychain: Int, by: Interval, for: Interval)
  case unplug(keychain: Int, for: Interval)
  case move(keychain: Int, toHost: Int)

  /// The power goes once `afterBytes` more bytes are written to the store, at the latest after 0.2
  /// s.
  case cutPower(keychain: Int, afterBytes: Int, for: Interval)
  case reset(keychain: Int)
  case failStore(keychain: Int, for: Interval)
  /// Its store claims to have kept what it has not: a power cut meanwhile takes it away.
  case makeStoreForgetful(keychain: Int, for: Interval)
  case loseBootCounter(keychain: Int)
  case jumpClock(keychain: Int, by: Interval)
  case battery(keychain: Int, millivolts: UInt16)
  case gps(keychain: Int, GPSScript)
  /// The keychain is defective from then on, also after all other faults have ended.
  case sicken(keychain: Int, DeviceDefect)

  /// The process is killed after `afterEffects` more effects of its core, at the latest after 0.2
  /// s.
  case kill(host: Int, afterEffects: Int, for: Interval)
  case reboot(host: Int, for: Interval, wallClockBy: Interval)
  case jumpWallClock(host: Int, by: Interval)
  case disk(host: Int, DiskTrouble, for: Interval)
  case channel(host: Int, contact: Int, way: Int, ChannelFault, for: Interval)
  case person(host: Int, UserRequest)
  case checkIn(host: Int, CheckInAction)
  case review(host: Int, ReviewAction)
  /// The account's zone is another from then on.
  case changeZone(host: Int, Zone)

  /// What somebody does on the wires of this keychain's line.
  case attack(keychain: Int, Attack, for: Interval)

  case feed(FeedTrouble, for: Interval)
  case endStream
  case killBridge(for: Interval)
}

/// What the owner does about check-ins. Series are counted from 0, in the order of their ids, as
/// they are then.
public enum CheckInAction: Equatable, Sendable {
  case add(SeriesPlan)
  case edit(Int, SeriesPlan)
  case remove(Int)
  /// By page: the one that fell or falls due first.
  case complete
  /// The one that was completed last is to ask again.
  case restore
}

/// What the owner does about reviews. They are counted from 0, in the order of their ids, as they
/// are then.
public enum ReviewAction: Equatable, Sendable {
  /// Of the latest alarm that is over, or of none.
  case begin(isOfAlarm: Bool)
  /// - word: is in the answer.
  /// - isStale: by a window that has not seen the last save.
  case save(Int, step: Int, word: String, isStale: Bool)
  case complete(Int)
  case delete(Int)
  /// What the latest alarm that is over was.
  case label
}

/// A fault of a disk.
public enum DiskTrouble: Equatable, Sendable, CaseIterable {
  /// A commit takes up to three seconds.
  case slow
  /// Commits fail.
  case full
  /// Commits are answered when the trouble is over.
  case hanging
  /// It claims to have flushed what it has not: a reboot takes it away.
  case lying
  /// Commits fail, but their writes may still be found after a crash.
  case failingLate
}

/// A fault between a bridge and its core.
public enum FeedTrouble: Equatable, Sendable, CaseIterable {
  /// Nothing passes; messages sent meanwhile arrive when it is over.
  case cut
  /// Messages take up to three seconds.
  case slow
  /// Batches are lost on their way.
  case losesBatches
  /// Answers to batches are lost.
  case losesAnswers
  /// Half of the batches come a second time, up to three seconds later.
  case doublesBatches
}

/// A fault of a notification channel.
public enum ChannelFault: Equatable, Sendable, CaseIterable {
  case refused
  /// No answer for up to 50 seconds, then an error.
  case silent
  /// An answer after up to 40 seconds.
  case slow
  /// The message is taken, and an error is answered.
  case answerLost
}

extension FaultAction {
  /// Its kind, as coverage counts it.
  public var fault: Fault {
    switch self {
    case .press(_, let hold): hold >= .milliseconds(500) ? .hold : .press
    case .clicks(_, let count): count >= 7 ? .frantic : .clicks
    case .stick: .stuck
    case .spoil(_, let kind, _, _, _):
      switch kind {
      case .drop: .drop
      case .flip: .flip
      case .double: .double
      case .insert: .insert
      case .split: .split
      case .stall: .stall
      }
    case .delay: .delay
    case .unplug: .unplug
    case .move: .move
    case .cutPower: .powerCut
    case .reset: .reset
    case .failStore: .storeFailing
    case .makeStoreForgetful: .storeForgetful
    case .loseBootCounter: .bootCounterLost
    case .jumpClock: .clockJump
    case .battery: .lowBattery
    case .gps: .gpsStory
    case .sicken(_, let defect): defect.fault
    case .kill: .kill
    case .reboot: .reboot
    case .jumpWallClock: .wallJump
    case .disk(_, let trouble, _):
      switch trouble {
      case .slow: .diskSlow
      case .full: .diskFull
      case .hanging: .diskHanging
      case .lying: .diskLying
      case .failingLate: .diskFailingLate
      }
    case .channel(_, _, _, let trouble, _):
      switch trouble {
      case .refused: .refused
      case .silent: .silent
      case .slow: .slow
      case .answerLost: .answerLost
      }
    case .person(_, let asking): asking.fault
    case .checkIn(_, let action): action.fault
    case .review(_, let action): action.fault
    case .changeZone: .zoneChange
    case .feed(let trouble, _):
      switch trouble {
      case .cut: .feedCut
      case .slow: .feedSlow
      case .losesBatches: .batchLost
      case .losesAnswers: .batchAnswerLost
      case .doublesBatches: .batchDoubled
      }
    case .attack(_, let attack, _): attack.fault
    case .endStream: .streamEnded
    case .killBridge: .bridgeKill
    }
  }
}

extension UserRequest {
  fileprivate var fault: Fault {
    switch self {
    case .acknowledge: .acknowledge
    case .disarm: .disarm
    case .cancel: .cancel
    case .silence: .silence
    case .quit: .quit
    case .resume: .resume
    case .wrongPIN: .wrongPIN
    case .endUnowned: .endUnowned
    case .logIn: .logIn
    case .logOut: .logOut
    case .protect: .protect
    case .claim: .claim
    case .disconnect: .disconnect
    case .addContact: .contactAdded
    case .removeContact: .contactRemoved
    case .trigger: .trigger
    case .unprotect: .unprotect
    case .erase: .erased
    case .addSeries: .seriesAdded
    case .editSeries: .seriesEdited
    case .removeSeries: .seriesRemoved
    case .complete: .completed
    case .restore: .restored
    case .fillSlot: .slotFilled
    case .emptySlot: .slotEmptied
    case .sendMessage: .messageSent
    case .startExercise: .exerciseStarted
    case .stopExercise: .exerciseStopped
    case .countItem: .itemCounted
    case .clickBreathes: .clickSet
    case .saveTotals: .totalsSaved
    case .addLine: .lineAdded
    case .beginReview: .reviewBegun
    case .saveAnswer: .answerSaved
    case .completeReview: .reviewCompleted
    case .deleteReview: .reviewDeleted
    case .label: .outcomeChanged
    }
  }
}

extension ReviewAction {
  fileprivate var fault: Fault {
    switch self {
    case .begin: .reviewBegun
    case .save: .answerSaved
    case .complete: .reviewCompleted
    case .delete: .reviewDeleted
    case .label: .outcomeChanged
    }
  }
}

extension CheckInAction {
  fileprivate var fault: Fault {
    switch self {
    case .add: .seriesAdded
    case .edit: .seriesEdited
    case .remove: .seriesRemoved
    case .complete: .completed
    case .restore: .restored
    }
  }
}
