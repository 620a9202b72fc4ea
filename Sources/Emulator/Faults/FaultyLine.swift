import FobBase

/// A board's line with faults between board and host. Without a fault, bytes go straight through.
final class FaultyLine {
  private let line: BoardLine
  private let isHeard: () -> Bool
  private let now: () -> Instant
  private var toHost = WireFaults()
  private var toDevice = WireFaults()
  /// Strikes of faults that are not set any more.
  private var earlier: [WireFault.Kind: UInt64] = [:]
  /// Whether the line has not taken all bytes that were due.
  private var isBlocked = false

  /// - Parameter isHeard: whether a host is present. Bytes without a host are dropped, and hit by
  ///   no fault.
  init(
    _ line: BoardLine, isHeard: @escaping () -> Bool, now: @escaping () -> Instant
  ) {
    self.line = line
    self.isHeard = isHeard
    self.now = now
  }

  // MARK: Faults

  func set(_ fault: WireFault) {
    if fault.direction != .device { replace(&toHost, fault, .host) }
    if fault.direction != .host { replace(&toDevice, fault, .device) }
  }

  func clear() {
    for set in toHost.faults + toDevice.faults { earlier[set.fault.kind, default: 0] += set.struck }
    toHost.clear()
    toDevice.clear()
  }

  private func replace(
    _ faults: inout WireFaults, _ fault: WireFault, _ direction: WireFault.Direction
  ) {
    for set in faults.faults where set.fault.kind == fault.kind {
      earlier[fault.kind, default: 0] += set.struck
    }
    var fault = fault
    // One seed must not hit both directions at the same places.
    if fault.direction == .both, direction == .device { fault.seed = ~fault.seed }
    fault.direction = direction
    faults.set(fault)
  }

  /// The faults that are set; those towards the host come first.
  var faults: [SetFault] { toHost.faults + toDevice.faults }

  /// How often each kind has struck since the start.
  var strikes: [WireFault.Kind: UInt64] {
    faults.reduce(into: earlier) { $0[$1.fault.kind, default: 0] += $1.struck }
  }

  // MARK: Bytes

  /// As `BoardLine.read`; each call gives bytes of one chunk only.
  func read(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
    guard !toDevice.isClear else { return line.read(buffer) }
    let now = now()
    fetch(at: now)
    return toDevice.passOn(at: now) { bytes in
      let count = min(bytes.count, buffer.count)
      buffer.copyBytes(from: bytes.prefix(count))
      return count
    }
  }

  /// As `BoardLine.write`.
  func write(_ bytes: UnsafeRawBufferPointer) -> Int {
    guard isHeard(), !toHost.isClear else { return line.write(bytes) }
    let count = toHost.take(bytes, at: now())
    flush()
    return count
  }

  /// Writes the bytes that are due to the line.
  func flush() {
    guard !toHost.isClear else { return }
    let now = now()
    isBlocked = false
    var offered = 0
    var taken = 0
    repeat {
      offered = 0
      taken = toHost.passOn(at: now) { bytes in
        offered = bytes.count
        return line.write(bytes)
      }
    } while offered > 0 && taken == offered
    isBlocked = taken < offered
  }

  /// Drops the held bytes: the device was unplugged, the host has changed, or the power is cut.
  func discard() {
    toHost.discard()
    toDevice.discard()
    isBlocked = false
  }

  /// Reads as many bytes as the line has and there is room for.
  private func fetch(at now: Instant) {
    withUnsafeTemporaryAllocation(byteCount: 256, alignment: 1) { piece in
      while toDevice.room > 0 {
        let fitting = UnsafeMutableRawBufferPointer(
          rebasing: piece[..<min(piece.count, toDevice.room)])
        let count = line.read(fitting)
        guard count > 0 else { return }
        _ = toDevice.take(UnsafeRawBufferPointer(rebasing: fitting[..<count]), at: now)
      }
    }
  }

  // MARK: What to wait for

  /// When the held bytes are due next; nil: none are held, or the line takes no more.
  var nextDue: Instant? {
    [isBlocked ? nil : toHost.nextDue, toDevice.nextDue].compactMap { $0 }.min()
  }

  /// Whether there is room for bytes of the host.
  var mayRead: Bool { toDevice.room > 0 }

  /// Whether bytes wait for the line to take more.
  var isWaitingForLine: Bool { isBlocked }

  /// Whether there is room for bytes of the board.
  var mayWrite: Bool { toHost.room > 0 }
}
