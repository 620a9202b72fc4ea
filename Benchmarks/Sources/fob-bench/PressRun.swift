import CBench
import FobBase
import Foundation
import SerialIO

/// The same presses to several receivers, block by block in turn: a pty each, two processes each,
/// the writer on processor 0, a press each `--pace` µs whatever the receiver does.
///
/// The receivers have processor 1 or, by `--processor -1`, any: all of them the same. Measured
/// twice: with the machine as it is, and with processors that never sleep (a pty's delivery wakes a
/// sleeping one).
struct PressRun {
  private let blocks: Int
  private let pressesOfBlock: Int
  private let pace: Interval
  let processor: Int
  let results: String?
  let folder: String

  /// - Parameter pace: µs, where the arguments say nothing.
  init(_ arguments: Arguments, pace: Int = 2_000) throws {
    blocks = try arguments.number("blocks", default: 40)
    pressesOfBlock = try arguments.number("presses", default: 50)
    self.pace = .microseconds(Int64(try arguments.number("pace", default: pace)))
    processor = try arguments.number("processor", default: 1)
    results = arguments.optional("results")
    folder = try arguments.text("folder")
  }

  /// In each state of the machine.
  func rows(_ measure: (_ state: String) throws -> [Row]) throws -> [Row] {
    guard bench_pin(0) else { throw BenchFailure("this process may not run on processor 0") }
    let idle = try measure("idle")
    let spinners = try [0, 1].map {
      try ChildProcess.start("keep-awake", ["--processor", "\($0)"])
    }
    defer { for spinner in spinners { spinner.terminate() } }
    return idle + (try measure("awake"))
  }

  /// - Returns: of each receiver, what its stamps say of every press behind the first block.
  func measure(_ receivers: [PressSide.Receiver], _ state: String) throws -> [PressSide.Stamped] {
    let presses = (blocks + 1) * pressesOfBlock
    let sides = try receivers.enumerated().map { index, receiver in
      try PressSide(
        receiver, presses: presses, processor: processor, folder: "\(folder)/\(state)-\(index)")
    }
    defer { for side in sides { side.process.terminate() } }
    for side in sides { try side.awaitReady() }
    for block in 0...blocks {
      for side in block % 2 == 0 ? sides : sides.reversed() {
        try press(side, from: block * pressesOfBlock + 1)
        for side in sides { try settle(side) }
      }
    }
    // The last stamps are told behind the last acks.
    for side in sides where side.receiver.isBridge {
      try side.writer.serve(until: BootClock.now() + .milliseconds(500))
    }
    return sides.map { PressSide.Stamped(side: $0, measured: pressesOfBlock..<presses) }
  }

  /// Until all is acked: a bridge keeps the stamps of 64 presses that are not.
  private func settle(_ side: PressSide) throws {
    guard side.receiver.isBridge else { return }
    let patience = BootClock.now() + .seconds(5)
    repeat {
      try side.writer.serve(until: BootClock.now() + .milliseconds(10))
    } while !side.writer.isAcked && BootClock.now() < patience
  }

  private func press(_ side: PressSide, from first: Int) throws {
    var due = BootClock.now() + pace
    for n in first..<first + pressesOfBlock {
      let frame = PressFrames.press(n, clock: UInt64(BootClock.now().microseconds))
      if side.receiver.isBridge { try side.writer.serve(until: due - .microseconds(300)) }
      bench_sleep_until_boottime(UInt64(due.microseconds) * 1_000)
      try side.writer.press(frame)
      due = due + pace
    }
  }

  /// Median and p99 of one side beside another's, both with the bar.
  func rows(
    _ name: String, ours: [Double], _ peerName: String, peer: [Double], bar: Double?
  ) -> [Row] {
    let place = processor < 0 ? ", any processor" : ""
    return [("median", 0.5), ("p99", 0.99)].map { word, q in
      Row(
        name: "\(name)\(place), \(word)", unit: "µs", ours: quantile(q, of: ours),
        peerName: peerName, peer: quantile(q, of: peer), bar: bar.map { Row.Bar(atMost: $0) })
    }
  }
}
