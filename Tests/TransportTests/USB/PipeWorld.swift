import FobBase
import TestSupport
import Testing
import Transport

/// A device behind a ``BulkPipe``, with a clock moved by hand: it takes what is submitted, answers
/// in order or fails by chance, and holds every step against the rules.
struct PipeWorld: ~Copyable {
  static let packet = 64
  var pipe = BulkPipe(packet: Self.packet)
  var random: SeededGenerator
  var now = Instant(microseconds: 1_000)
  /// Submitted and not yet told, in order.
  var incoming: [Int] = []
  var cancelled: Set<Int> = []
  var outgoing: [UInt8]?
  var isOutgoingCancelled = false
  /// What is halted refuses everything until it is cleared.
  var halted: Set<BulkDirection> = []
  /// Packets that the device has sent, and those that came, by number.
  var sent = 0
  var came: [Int] = []
  /// What the device has taken.
  var taken: [UInt8] = []
  var accepted: [UInt8] = []
  var refused: UInt64 = 0
  /// Halts are cleared whenever that is asked for.
  var isWell = false
  var submissions = 0
  var clearings = 0

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  /// Everything that is to be done now.
  mutating func settle() {
    while let order = pipe.nextOrder(at: now) { carryOut(order) }
    while let submission = pipe.nextSubmission(at: now) { submit(submission) }
    // Whoever waits for this would wait no time, again and again.
    #expect(pipe.nextWake.map { $0 > now } ?? true)
  }

  mutating func send(_ frame: [UInt8]) {
    if frame.withUnsafeBytes({ pipe.send($0) }) { accepted += frame } else { refused += 1 }
    if let submission = pipe.nextOutgoing(at: now) { submit(submission) }
  }

  mutating func submit(_ submission: BulkSubmission) {
    submissions += 1
    #expect(pipe.end == nil, "nothing is begun after the end")
    switch submission {
    case .incoming(let slot):
      #expect(!incoming.contains(slot), "a transfer is in flight once")
      #expect(!halted.contains(.incoming), "no byte is asked for before the halt is cleared")
      incoming.append(slot)
    case .outgoing(let count, let zeroPacket):
      #expect(outgoing == nil, "one transfer at a time keeps frames in order")
      #expect(!halted.contains(.outgoing))
      #expect(count > 0 && zeroPacket == (count % Self.packet == 0))
      outgoing = Array(pipe.bytes.prefix(count))
    }
  }

  mutating func carryOut(_ order: BulkOrder) {
    switch order {
    case .cancelIncoming(let slot):
      #expect(incoming.contains(slot) && cancelled.insert(slot).inserted)
    case .cancelOutgoing:
      #expect(outgoing != nil && !isOutgoingCancelled)
      isOutgoingCancelled = true
    case .clearHalt(let direction):
      clearings += 1
      #expect(direction == .outgoing || incoming.isEmpty, "what was before the halt comes first")
      let isDone = isWell || Int.random(in: 0..<4, using: &random) > 0
      if isDone { halted.remove(direction) }
      pipe.cleared(direction, isDone ? .done : .failed, at: now)
    }
  }

  /// One transfer from the device ends, the oldest first.
  mutating func answer(_ result: BulkResult) {
    guard !incoming.isEmpty else { return }
    let slot = incoming.removeFirst()
    cancelled.remove(slot)
    if result == .done {
      came.append(sent)
      sent += 1
    }
    if result == .stalled { halted.insert(.incoming) }
    pipe.received(slot, result, at: now)
  }

  /// All that was cancelled comes back.
  mutating func giveBack() {
    for slot in incoming where cancelled.contains(slot) { pipe.received(slot, .cancelled, at: now) }
    let back = cancelled
    incoming.removeAll { back.contains($0) }
    cancelled = []
    if isOutgoingCancelled {
      outgoing = nil
      isOutgoingCancelled = false
      pipe.sent(0, .cancelled, at: now)
    }
  }

  /// The transfer to the device ends, with so many of its bytes taken.
  mutating func take(_ count: Int, _ result: BulkResult) {
    guard let bytes = outgoing else { return }
    let count = result == .done ? bytes.count : min(count, bytes.count)
    outgoing = nil
    isOutgoingCancelled = false
    taken += bytes.prefix(count)
    if result == .stalled { halted.insert(.outgoing) }
    pipe.sent(count, result, at: now)
  }
}
