import Emulator
import FobBase

/// One direction of a line: bytes go in, are spoilt, and come out later, in order.
struct Pipe {
  /// How many bytes a kernel holds for a line.
  static let capacity = 4_096

  private var faults = WireFaults()
  private var random: SplitMix64
  private let latency: ClosedRange<Int64>
  /// Added to the latency.
  var delay = Interval.zero
  /// Bytes on their way, in order; the first `gone` of them have arrived.
  private var bytes: [UInt8] = []
  private var gone = 0
  private var chunks: [(end: Int, due: Instant)] = []
  private var firstChunk = 0
  /// The faults hold bytes that may have become due.
  private var isHolding = false

  init(_ latency: ClosedRange<Int64>, seed: UInt64) {
    self.latency = latency
    random = SplitMix64(state: seed)
  }

  var room: Int { max(0, Self.capacity - (bytes.count - gone)) / 3 }
  var isEmpty: Bool { firstChunk == chunks.count && !isHolding }

  var nextDue: Instant {
    let due = firstChunk < chunks.count ? chunks[firstChunk].due : .never
    guard isHolding, let held = faults.nextDue else { return due }
    return min(due, held)
  }

  // MARK: Faults

  mutating func set(_ fault: WireFault) { faults.set(fault) }

  mutating func clearFaults() {
    faults.clear()
    delay = .zero
  }

  mutating func discard() {
    faults.discard()
    isHolding = false
    bytes.removeAll(keepingCapacity: true)
    chunks.removeAll(keepingCapacity: true)
    gone = 0
    firstChunk = 0
  }

  /// The sender loses power: its last bytes may be cut off.
  mutating func tear() {
    guard firstChunk < chunks.count else { return }
    let last = chunks.count - 1
    let begin = last > firstChunk ? chunks[last - 1].end : gone
    let kept = begin + Int(random.next() % UInt64(chunks[last].end - begin + 1))
    bytes.removeLast(chunks[last].end - kept)
    chunks[last].end = kept
    if kept == begin { chunks.removeLast() }
  }

  // MARK: Bytes

  /// - Parameter sent: at most `room`.
  mutating func send(_ sent: UnsafeRawBufferPointer, at now: Instant) {
    guard isHolding || !faults.isClear else { return enqueue(sent, at: now) }
    var rest = sent
    while !rest.isEmpty {
      let taken = faults.take(rest, at: now)
      rest = UnsafeRawBufferPointer(rebasing: rest[taken...])
      let passed = pass(at: now)
      // Bytes that find no room in a stalled line are lost, as in a FIFO that overflows.
      if taken == 0, passed == 0 { return }
    }
  }

  /// Replaces `chunk` with one chunk that has arrived; false when none has.
  mutating func receive(into chunk: inout [UInt8], at now: Instant) -> Bool {
    if isHolding { _ = pass(at: now) }
    guard firstChunk < chunks.count, chunks[firstChunk].due <= now else { return false }
    let end = chunks[firstChunk].end
    chunk.removeAll(keepingCapacity: true)
    chunk.append(contentsOf: bytes[gone..<end])
    gone = end
    firstChunk += 1
    if firstChunk == chunks.count {
      bytes.removeAll(keepingCapacity: true)
      chunks.removeAll(keepingCapacity: true)
      gone = 0
      firstChunk = 0
    }
    return true
  }

  /// Moves on the bytes that the faults release.
  private mutating func pass(at now: Instant) -> Int {
    var total = 0
    while true {
      var chunk: [UInt8] = []
      let count = faults.passOn(at: now) { bytes in
        chunk = Array(bytes)
        return bytes.count
      }
      guard count > 0 else { break }
      chunk.withUnsafeBytes { enqueue($0, at: now) }
      total += count
    }
    isHolding = faults.nextDue != nil
    return total
  }

  private mutating func enqueue(_ sent: UnsafeRawBufferPointer, at now: Instant) {
    guard !sent.isEmpty else { return }
    bytes.append(contentsOf: sent)
    let span = UInt64(latency.upperBound - latency.lowerBound) + 1
    let drawn = Int64(random.next().multipliedFullWidth(by: span).high)
    var due = now + delay + .microseconds(latency.lowerBound + drawn)
    if let last = chunks.last?.due { due = max(due, last) }
    chunks.append((bytes.count, due))
  }
}

extension Instant {
  /// Later than any world lasts.
  static let never = Instant(microseconds: .max)
}
