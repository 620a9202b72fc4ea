import CBench
import FobBase
import Foundation
import SerialIO

/// t1→t3 of the whole bridge against the bare one-way in C: the same writer, the same frames, a pty
/// each, two processes each, pinned alike, block by block in turn, with a press each `--pace` µs.
///
/// The writer has processor 0, both receivers have processor 1. Measured twice: with the machine
/// as it is, and with processors that never sleep (a pty's delivery wakes a sleeping one).
struct PressBenchmark {
  private let blocks: Int
  private let pressesOfBlock: Int
  private let pace: Interval
  private let results: String?
  private let folder: String

  init(_ arguments: Arguments) throws {
    blocks = try arguments.number("blocks", default: 40)
    pressesOfBlock = try arguments.number("presses", default: 50)
    pace = .microseconds(Int64(try arguments.number("pace", default: 2_000)))
    results = arguments.optional("results")
    folder = try arguments.text("folder")
  }

  func run() throws {
    guard bench_pin(0) else { throw BenchFailure("this process may not run on processor 0") }
    let idle = try measure("idle")
    let spinners = try [0, 1].map { try Self.start("keep-awake", ["--processor", "\($0)"]) }
    defer { for spinner in spinners { spinner.terminate() } }
    try Results.add(idle + (try measure("awake")), of: "3 press", to: results)
  }

  private func measure(_ state: String) throws -> [Row] {
    let presses = (blocks + 1) * pressesOfBlock
    let bare = try Side("bare", presses: presses, folder: "\(folder)/\(state)-bare")
    let bridge = try Side("bridge", presses: presses, folder: "\(folder)/\(state)-bridge")
    defer { for side in [bare, bridge] { side.receiver.terminate() } }
    try bare.writer.awaitOpening()
    let patience = BootClock.now() + .seconds(20)
    while !bridge.writer.isLinked {
      guard BootClock.now() < patience else { throw BenchFailure("the bridge does not link") }
      try bridge.writer.serve(until: BootClock.now() + .milliseconds(10))
    }
    for block in 0...blocks {
      for side in block % 2 == 0 ? [bare, bridge] : [bridge, bare] {
        try press(side, from: block * pressesOfBlock + 1)
        try settle(bridge.writer)
      }
    }
    // The last stamps are told behind the last acks.
    try bridge.writer.serve(until: BootClock.now() + .milliseconds(500))
    let floor = try times(bare, to: bare.stamps.base)
    let decided = try times(bridge, to: bridge.stamps.base)
    let read = try times(bridge, to: bridge.stamps.read)
    let ways = [
      ("t1→t3, \(state), median", decided, 0.5, Row.Bar(atMost: 1.25)),
      ("t1→t3, \(state), p99", decided, 0.99, nil),
      ("of it t1→t2, \(state), median", read, 0.5, nil),
    ]
    return ways.map { name, ours, q, bar in
      Row(
        name: name, unit: "µs", ours: quantile(q, of: ours), peerName: "one-way in C",
        peer: quantile(q, of: floor), bar: bar)
    }
  }

  /// Until all is acked: a bridge keeps the stamps of 64 presses that are not.
  private func settle(_ writer: PressWriter) throws {
    let patience = BootClock.now() + .seconds(5)
    repeat {
      try writer.serve(until: BootClock.now() + .milliseconds(10))
    } while !writer.isAcked && BootClock.now() < patience
  }

  private func press(_ side: Side, from first: Int) throws {
    var due = BootClock.now() + pace
    for n in first..<first + pressesOfBlock {
      let frame = PressFrames.press(n, clock: UInt64(BootClock.now().microseconds))
      if side.name == "bridge" { try side.writer.serve(until: due - .microseconds(300)) }
      bench_sleep_until_boottime(UInt64(due.microseconds) * 1_000)
      try side.writer.press(frame)
      due = due + pace
    }
  }

  /// µs of each press after the first block, which is warm-up.
  private func times(_ side: Side, to stamps: UnsafePointer<UInt64>) throws -> [Double] {
    let measured = pressesOfBlock..<side.stamps.count
    let times = measured.compactMap { n -> Double? in
      let stamp = stamps[n]
      // A stamp is of whole microseconds: on the average half a one has passed.
      return stamp == 0 ? nil : Double(stamp) + 0.5 - Double(side.writer.written[n]) / 1_000
    }
    guard times.count * 100 >= measured.count * 99 else {
      throw BenchFailure("\(side.name): \(times.count) stamps of \(measured.count) presses")
    }
    return times
  }

  /// One line with its writer and its receiver.
  private struct Side {
    let name: String
    let writer: PressWriter
    let receiver: Process
    let stamps: SharedStamps

    init(_ name: String, presses: Int, folder: String) throws {
      self.name = name
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      writer = try PressWriter()
      stamps = try SharedStamps(path: folder + "/stamps", count: presses)
      receiver = try PressBenchmark.start(
        "receive-\(name)",
        [
          "--line", writer.path, "--stamps", folder + "/stamps", "--presses", "\(presses)",
          "--folder", folder, "--processor", "1",
        ])
    }
  }

  private static func start(_ part: String, _ arguments: [String]) throws -> Process {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
    process.arguments = [part] + arguments
    try process.run()
    return process
  }
}
