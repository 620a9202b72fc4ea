import FobBase
import SerialIO

/// The way between a board's UART and the line to its host. QEMU never waits for a host: what the
/// line does not take is kept, and beyond a bound lost, as in an adapter whose buffer is full.
struct UARTRelay {
  /// Frames for a host that has stopped reading.
  static let maxKept = 65_536

  private let line: FaultyLine
  private var toHost: [UInt8] = []
  private var toBoard: [UInt8] = []

  init(_ line: FaultyLine) { self.line = line }

  /// Bytes of the host can be taken in.
  var mayRead: Bool { toBoard.isEmpty && line.mayRead }
  /// Bytes wait for the line to take more.
  var isWaitingForHost: Bool { line.isWaitingForLine || !toHost.isEmpty && line.mayWrite }
  /// Bytes wait for the board's UART to take more.
  var isWaitingForBoard: Bool { !toBoard.isEmpty }

  /// - Parameters:
  ///   - sent: sees what the board says, whether a host is there or not.
  ///   - received: sees what the board is given.
  mutating func pass(
    _ machine: QEMUMachine, sent: (UnsafeRawBufferPointer) -> Void,
    received: (UnsafeRawBufferPointer) -> Void
  ) throws(IOFailure) {
    machine.drain()
    let new = machine.read(uart: 0)
    new.withUnsafeBytes { sent($0) }
    toHost += new.prefix(max(0, Self.maxKept - toHost.count))
    line.flush()
    while !toHost.isEmpty, line.mayWrite {
      let count = toHost.withUnsafeBytes { line.write($0) }
      guard count > 0 else { break }
      toHost.removeFirst(count)
    }
    try feed(machine.uarts[0], received)
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
