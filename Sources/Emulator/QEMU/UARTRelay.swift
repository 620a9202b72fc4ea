import FobBase
import SerialIO

/// The receiver's serial line at 9600 bit/s, the default of GPS modules. QEMU itself would hand
/// over an epoch at once, which no firmware must be ready for.
struct GPSWire {
  private static let chunk = 16
  /// The time of a chunk at ten bits a byte.
  private static let pace = Interval.microseconds(Int64(chunk) * 10_000_000 / 9_600)

  private var pending: [UInt8] = []
  /// When the line is free for the next bytes; nil while there are none.
  private(set) var nextDue: Instant?

  /// Sends what the line can carry by `now`.
  mutating func pass(_ gps: inout GPSFeed, to board: any QEMUBoard, at now: Instant) {
    if let nextDue, now < nextDue { return }
    while pending.count < Self.chunk, let byte = gps.nextByte() { pending.append(byte) }
    guard !pending.isEmpty else {
      nextDue = nil
      return
    }
    // A dead QEMU is noticed elsewhere.
    let taken = pending.withUnsafeBytes { (try? board.hear(gps: $0)) ?? 0 }
    pending.removeFirst(taken)
    nextDue = now + Self.pace
  }

  mutating func discard() {
    pending = []
    nextDue = nil
  }
}

/// Relays bytes between a board's UART and the line to its host. QEMU never waits for a host: bytes
/// that the line does not take are kept, and lost beyond a bound, as in an adapter whose buffer is
/// full.
struct UARTRelay {
  /// The most bytes kept for a host that has stopped reading.
  static let maxKept = 65_536
  /// The last byte of a frame.
  private static let delimiter: UInt8 = 0

  private let line: FaultyLine
  private var toHost: [UInt8] = []
  private var toBoard: [UInt8] = []

  init(_ line: FaultyLine) { self.line = line }

  /// Whether there is room for bytes of the host.
  var mayRead: Bool { toBoard.isEmpty && line.mayRead }
  /// Whether bytes wait for the line to take more.
  var isWaitingForHost: Bool { line.isWaitingForLine || !toHost.isEmpty && line.mayWrite }
  /// Whether bytes wait for the board's UART to take more.
  var isWaitingForBoard: Bool { !toBoard.isEmpty }

  /// Relays the bytes of both directions. What the board has stored is saved before the host gets
  /// the end of a frame, which may tell of it.
  /// - Parameters:
  ///   - board: the one whose UART it is.
  ///   - sent: gets the bytes of the board, whether a host is present or not.
  ///   - received: gets the bytes for the board.
  mutating func pass(
    _ board: any QEMUBoard, sent: (UnsafeRawBufferPointer) -> Void,
    received: (UnsafeRawBufferPointer) -> Void
  ) throws(IOFailure) {
    board.machine.drain()
    while true {
      let new = board.machine.read(uart: 0)
      guard !new.isEmpty else { break }
      // Saving drains the UART, too.
      if new.contains(Self.delimiter) { try board.saveStore() }
      new.withUnsafeBytes { sent($0) }
      toHost += new.prefix(max(0, Self.maxKept - toHost.count))
    }
    line.flush()
    while !toHost.isEmpty, line.mayWrite {
      let count = toHost.withUnsafeBytes { line.write($0) }
      guard count > 0 else { break }
      toHost.removeFirst(count)
    }
    try feed(board.machine.uarts[0], received)
  }

  mutating func discard() {
    toHost = []
    toBoard = []
  }

  private mutating func feed(
    _ uart: QEMUSocket, _ received: (UnsafeRawBufferPointer) -> Void
  ) throws(IOFailure) {
    while true {
      if toBoard.isEmpty {
        var chunk = [UInt8](repeating: 0, count: SimulatedBoard.linkFIFO)
        let count = chunk.withUnsafeMutableBytes { line.read($0) }
        guard count > 0 else { return }
        toBoard = Array(chunk[..<count])
        toBoard.withUnsafeBytes { received($0) }
      }
      let rest = toBoard
      let taken = try rest.span.withUnsafeBytes { (bytes) throws(IOFailure) in
        try uart.write(bytes)
      }
      toBoard.removeFirst(taken)
      guard toBoard.isEmpty else { return }
    }
  }
}
