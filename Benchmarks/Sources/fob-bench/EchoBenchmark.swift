import CBench
import FobBase
import Foundation
import SerialIO
import Synchronization
import Transport

/// 32 bytes over a pty and back: Transport's line against a blocking read and write in C, pyserial
/// and socat, block by block in turn, two processes each, an echo each `--pace` µs; the asking side
/// is the same C.
struct EchoBenchmark {
  private static let size = 32
  private let presses: PressRun
  private let blocks: Int
  private let echoes: Int
  private let pace: UInt64
  private let sides: [EchoSide]

  init(_ arguments: Arguments) throws {
    presses = try PressRun(arguments)
    blocks = try arguments.number("blocks", default: 40)
    echoes = try arguments.number("echoes", default: 100)
    pace = UInt64(try arguments.number("pace", default: 500))
    sides = EchoSide.all(python: arguments.optional("python"))
  }

  func run() throws {
    let rows = try presses.rows { state in
      let times = try measure()
      let name = "pty echo, \(state)"
      let rows = zip(sides, times).dropFirst().flatMap { peer, took in
        presses.rows(
          name, ours: times[0], peer.name, peer: took, bar: peer.isFloor ? 1.05 : nil)
      }
      let absent = EchoSide.programs.filter { program in !sides.contains { $0.name == program } }
      return rows
        + absent.map {
          Row(
            name: name + ", median", unit: "µs", ours: quantile(0.5, of: times[0]), peerName: $0)
        }
    }
    try Results.add(rows, of: "2 echo", to: presses.results)
  }

  /// µs of each round trip, by side.
  private func measure() throws -> [[Double]] {
    // Raw from the start, and made to block by the first round trip.
    let ptys = try sides.map { _ in try PseudoPair() }
    let processes = try zip(sides, ptys).map { side, pty in
      try side.start(pty.path, presses.processor)
    }
    defer { for process in processes { process.terminate() } }
    for pty in ptys { try pty.awaitOpening() }
    var times = [[Double]](repeating: [], count: sides.count)
    let bytes = [UInt8](0..<UInt8(Self.size))
    for block in 0...blocks {
      for side in block % 2 == 0 ? Array(sides.indices) : sides.indices.reversed() {
        var due = bench_boottime()
        for _ in 0..<echoes {
          due += pace * 1_000
          bench_sleep_until_boottime(due)
          let took = bench_round_trip(ptys[side].number, bytes, bytes.count)
          guard took > 0 else { throw BenchFailure("an echo did not come back as it was sent") }
          // The first block is warm-up.
          if block > 0 { times[side].append(Double(took) / 1_000) }
        }
      }
    }
    return times
  }

  /// A pty in a reference, since it cannot be copied into a list.
  private final class PseudoPair {
    private let pty: PseudoTerminal
    var path: String { pty.slavePath }
    var number: Int32 { pty.master.number }

    init() throws { pty = try PseudoTerminal() }

    func awaitOpening() throws {
      guard try pty.awaitOpening(until: BootClock.now() + .seconds(10)) else {
        throw BenchFailure("nothing opens \(path)")
      }
    }
  }
}

/// The two answering sides.
struct EchoReceiver {
  private let line: String

  init(_ arguments: Arguments) throws { line = try arguments.text("line") }

  func runBare() throws {
    guard bench_echo(line) else { throw BenchFailure("cannot echo on \(line)") }
  }

  func runLine() throws {
    // Asked once for each echo, as a device's session asks for its own.
    let line = Mutex<DeviceLine?>(nil)
    let made = try DeviceLine(
      DeviceSpec(pty: self.line),
      handlers: DeviceLineHandlers(
        onOpen: { _ in }, onBytes: { bytes, _ in _ = line.withLock { $0 }?.send(bytes) },
        nextWake: { nil }, onWake: { _ in }, onGone: { _ in }, onUnavailable: { _ in }))
    line.withLock { $0 = made }
    try made.start()
    while true { pause() }
  }
}
