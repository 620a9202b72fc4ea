/// The batches that a core sends to a store which others can take over, and where an answer can be
/// lost. The store has the epoch of the core that has it, and of that core the number of the last
/// batch: it refuses a batch of another epoch.
///
/// After a lost answer the core takes a later epoch, for which the store waits until what was under
/// way is over, and by which its earlier connection is fenced off: then it knows whether that batch
/// is durable.
public struct FencedBatches<Sent: Sendable>: Sendable {
  /// Which the store has, while this core has it; 0: the core has not taken it yet.
  public private(set) var epoch: Int64 = 0
  /// Of the last batch that was sent.
  private var number: Int64 = 0
  /// The batch whose answer was lost.
  private var unanswered: (number: Int64, sent: Sent)?

  /// None was sent.
  public init() {}

  /// It is not known what became of the last batch: none may be sent.
  public var isUnsettled: Bool { unanswered != nil }

  /// Another batch is about to be sent. Each gets a number of its own, also the one that is sent
  /// again.
  public mutating func next() -> Int64 {
    number += 1
    return number
  }

  /// The answer to the last batch was lost.
  /// - Parameter sent: what follows where it is durable.
  public mutating func lostAnswer(_ sent: Sent) { unanswered = (number, sent) }

  /// The core has taken a later epoch.
  /// - Parameters:
  ///   - epoch: by which it has the store from now on.
  ///   - last: the number of the last batch that is durable.
  /// - Returns: what was sent, where the batch without an answer is durable; nil, too, where there
  ///   was none.
  public mutating func settle(epoch: Int64, last: Int64) -> Sent? {
    self.epoch = epoch
    defer { unanswered = nil }
    guard let unanswered, last >= unanswered.number else { return nil }
    return unanswered.sent
  }
}

/// What a batch has written for good, though its answer was lost: the core tries it again, together
/// with what came meanwhile.
public struct WrittenBatch: Sendable {
  private let log: [AuditEvent]
  private let track: [TrackPoint]
  /// Of the log entries; nil: there is none.
  public let ids: ClosedRange<Int64>?

  /// - Parameters:
  ///   - changes: those of the batch.
  ///   - ids: of its log entries; nil: there is none.
  public init(_ changes: Changes, ids: ClosedRange<Int64>?) {
    log = changes.log
    track = changes.track
    self.ids = ids
  }

  /// How many of the first log entries of a later batch are written: all of them, or none.
  public func entries(in changes: Changes) -> Int {
    changes.log.starts(with: log) ? log.count : 0
  }

  /// How many of the first positions of a later batch are written.
  public func positions(in changes: Changes) -> Int {
    changes.track.starts(with: track) ? track.count : 0
  }
}
