import AlertCore
import Emulator
import FobBase
import Judge
import WireProtocol

/// One run of a host's core, wired as the bridge wires it: production core and the core's end of a
/// feed, and the state of the bridge's threads.
final class HostRun {
  var core: AlertCore
  let began: Instant
  /// Where hosts share it, each has its core in it.
  let process: ProcessRun
  /// Its wakes are those of the process's lines, too.
  let isHome: Bool
  let ends: LineEnds
  var feedServer = SimulatedFeedServer()
  /// The keychain that the last HELLO on each line names, until that line is down.
  var named: [LinkID: DeviceID] = [:]
  /// A bridge on another host feeds it.
  let isFed: Bool
  /// Effects that are decided and not yet performed.
  var output = CoreOutput()
  /// The state of the notification channels' threads: for each channel one that carries alarms,
  /// then for each one that carries the owner's messages.
  var channels: [SimulatedChannel]
  /// Messages whose answer the core waits for, with the time of the hand-out and the notification
  /// channel.
  var handedOut: [String: (at: Instant, way: Int)] = [:]
  /// Unanswered requests for changes of the account.
  var changes: Set<RequestID> = []
  /// One of them is done, so the notification channels are to be told again.
  var areWaysToTell = false
  /// Keychains that such a request claims.
  var claims: [RequestID: DeviceID] = [:]
  /// Inputs that came of its own effects, and wait until all of them are performed.
  var later: [CoreInput] = []
  /// When the core and the sessions are to be woken, in true time.
  var wake = Instant.never

  init(
    _ core: AlertCore, of process: ProcessRun, isHome: Bool, ways: Int, isFed: Bool, at now: Instant
  ) {
    self.core = core
    self.process = process
    ends = process.ends
    self.isHome = isHome
    self.isFed = isFed
    began = now
    channels = Array(repeating: SimulatedChannel(), count: 2 * ways)
  }

  /// When core or sessions want to be woken, on the boot clock.
  func nextWake(after now: Timestamp) -> Instant {
    var due = core.nextWake(after: now)?.at ?? .never
    if isHome { due = min(due, ends.nextWake) }
    return isFed ? min(due, feedServer.nextWake) : due
  }

  var nextDue: Instant {
    var due = min(wake, min(process.killedBy, process.commits.answersAt))
    for way in channels.indices { due = min(due, channels[way].nextDue) }
    return due
  }
}

/// A thread of the bridge for a notification channel: it hands over one message at a time and waits
/// for the answer.
struct SimulatedChannel {
  /// A call that is under way.
  struct Call {
    let notification: Notification
    /// When the receiver takes the message; `.never` if it does not.
    let takenAt: Instant
    var isTaken = false
    let answeredAt: Instant
    let error: String?

    var nextDue: Instant { isTaken ? answeredAt : min(takenAt, answeredAt) }
  }

  private var waiting: [Notification] = []
  private(set) var call: Call? { didSet { nextDue = call?.nextDue ?? .never } }
  /// Of the call. Kept, since each turn asks for it, and a call is large.
  private(set) var nextDue = Instant.never
  var count: Int { waiting.count + (call == nil ? 0 : 1) }

  /// - Returns: false when the bridge's bounded queue is full.
  mutating func put(_ notification: Notification) -> Bool {
    guard waiting.count < Limits.deliveries else { return false }
    waiting.append(notification)
    return true
  }

  /// The thread takes the next message, if it is free.
  mutating func begin(
    _ trouble: (Contact) -> ChannelFault?, _ random: inout SplitMix64, at now: Instant
  ) {
    guard call == nil, !waiting.isEmpty else { return }
    let notification = waiting.removeFirst()
    let usual = now + .microseconds(.random(in: 300...60_000, using: &random))
    func later(_ longest: Int64) -> Instant {
      now + .microseconds(.random(in: 1_000_000...longest, using: &random))
    }
    switch trouble(notification.contact) {
    case nil:
      let answered = usual + .microseconds(.random(in: 0...20_000, using: &random))
      call = Call(
        notification: notification, takenAt: usual, answeredAt: answered, error: nil)
    case .refused:
      call = Call(
        notification: notification, takenAt: .never, answeredAt: usual, error: "refused")
    case .silent:
      call = Call(
        notification: notification, takenAt: .never, answeredAt: later(50_000_000),
        error: "timed out")
    case .slow:
      let taken = later(40_000_000)
      call = Call(notification: notification, takenAt: taken, answeredAt: taken, error: nil)
    case .answerLost:
      call = Call(
        notification: notification, takenAt: usual, answeredAt: later(10_000_000),
        error: "the connection was lost")
    }
  }

  mutating func take() { call!.isTaken = true }

  mutating func end() { call = nil }

  /// The trouble is over: calls that wait get their answers.
  mutating func hurry(at now: Instant) {
    guard let call, call.answeredAt > now else { return }
    let isTaken = call.isTaken || call.error == nil
    self.call = Call(
      notification: call.notification, takenAt: isTaken ? min(call.takenAt, now) : .never,
      isTaken: call.isTaken, answeredAt: now, error: call.error)
  }
}

/// A process's ends of the keychains' lines, wired as the bridge wires them.
final class LineEnds {
  /// One session for each keychain's line.
  var sessions: [HostSession]
  /// Whole frames that wait for a line that does not take them.
  var outboxes: [[UInt8]]

  init(lines: Int) {
    sessions = (0..<lines).map {
      HostSession(
        LinkID(rawValue: $0), software: SoftwareVersion(major: 0, minor: 1, patch: 0))
    }
    outboxes = Array(repeating: [], count: lines)
  }

  /// Takes the keys of the core.
  func trust(_ keys: [DeviceID: PairingKey]) {
    for index in sessions.indices { sessions[index].keys = keys }
  }

  /// When a session wants to be woken, on the process's clock.
  var nextWake: Instant {
    var due = Instant.never
    sessions.withUnsafeMutableBufferPointer { sessions in
      for index in sessions.indices { due = min(due, sessions[index].nextWake ?? .never) }
    }
    return due
  }
}
