import AlertCore
import Emulator
import FobBase

/// The bridge's thread for a notification channel: it hands over a message at a time, and waits for
/// the answer.
struct SimulatedChannel {
  /// A call that is under way.
  struct Call {
    let notification: Notification
    /// The receiver takes the message then; never, if it does not.
    let takenAt: Instant
    var isTaken = false
    let answeredAt: Instant
    let error: String?

    var nextDue: Instant { isTaken ? answeredAt : min(takenAt, answeredAt) }
  }

  private var waiting: [Notification] = []
  private(set) var call: Call?

  var nextDue: Instant { call?.nextDue ?? .never }
  var count: Int { waiting.count + (call == nil ? 0 : 1) }

  /// - Returns: false when so many wait that the bridge's mailbox is full.
  mutating func put(_ notification: Notification) -> Bool {
    guard waiting.count < Limits.deliveries else { return false }
    waiting.append(notification)
    return true
  }

  /// The thread is free: it takes the next.
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

  /// The trouble is over: what waits for an answer gets it.
  mutating func hurry(at now: Instant) {
    guard let call, call.answeredAt > now else { return }
    let isTaken = call.isTaken || call.error == nil
    self.call = Call(
      notification: call.notification, takenAt: isTaken ? min(call.takenAt, now) : .never,
      isTaken: call.isTaken, answeredAt: now, error: call.error)
  }
}
