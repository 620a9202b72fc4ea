import ArgumentParser
import FobBase
import Foundation
import SerialIO

/// `fob bench realtime`: what each of the real-time options is worth on this machine.
struct RealTimeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "realtime",
    abstract: "What --realtime, --lock-memory and --cpu are worth here, each off and on in turns.",
    discussion: """
      For each option, pairs of short runs: one without it, one with it, each a process of its own \
      with an emulated keychain, a pty, bridge and core. An effect is told where every pair says \
      the same; with six pairs that is chance once in 32 times. All else is noise.

      On an idle machine there is little to gain; --busy shows what the options keep away.
      """)

  @Option(help: "Presses a run.")
  var presses = 100

  @Option(help: "Pairs of runs, off and on.")
  var pairs = 6

  @Option(help: "Threads that keep the machine busy meanwhile.")
  var busy = 0

  @Flag(help: "One object of JSON for each option, times in µs.")
  var json = false

  @Flag(help: ArgumentHelp("One run of it, with the options given.", visibility: .hidden))
  var block = false

  @OptionGroup var realTime: RealTimeOptions

  func validate() throws {
    try realTime.refuseLowLatency("the line of fob bench realtime")
    guard (1...10_000).contains(presses) else {
      throw ValidationError("--presses takes 1 to 10000")
    }
    guard (3...100).contains(pairs) else { throw ValidationError("--pairs takes 3 to 100") }
    guard (0...1_024).contains(busy) else { throw ValidationError("--busy takes 0 to 1024") }
  }

  func run() throws {
    try Failure.mapped {
      if block { return try playBlock() }
      let busy = try BusyThreads(busy)
      defer { busy.stop() }
      for option in try chosen() { try compare(option) }
    }
  }

  /// Those that are given, else all; a processor is one of this machine's.
  private func chosen() throws -> [[String]] {
    var options: [[String]] = []
    if realTime.realtime { options.append(["--realtime"]) }
    if realTime.lockMemory { options.append(["--lock-memory"]) }
    if let cpu = realTime.cpu { options.append(["--cpu", "\(cpu)"]) }
    guard options.isEmpty else { return options }
    let processors = try Processors.allowed()
    let last = processors.count > 1 ? processors.last.map { [["--cpu", "\($0)"]] } ?? [] : []
    return [["--realtime"], ["--lock-memory"]] + last
  }

  // MARK: A run

  private func playBlock() throws {
    var said: [String] = []
    let tuning = try realTime.apply { said.append($0) }
    let times = try RealTimeBlock(tuning).times(ofPresses: presses)
    Terminal.line(String(decoding: try JSONEncoder().encode(times), as: UTF8.self))
  }

  private func times(with option: [String]) throws -> RealTimeTimes {
    var program = try ChildProcess(
      ["bench", "realtime", "--block", "--presses", "\(presses)"] + option)
    let deadline = BootClock.now() + .seconds(60 + Int64(presses))
    guard let line = try program.line(until: deadline) else {
      // What stood in its way it has said on standard error.
      throw Failure(.refused, "a run with \(option.joined(separator: " ")) came to no end")
    }
    return try JSONDecoder().decode(RealTimeTimes.self, from: Data(line.text.utf8))
  }

  // MARK: Pairs

  private func compare(_ option: [String]) throws {
    var off: [RealTimeTimes] = []
    var on: [RealTimeTimes] = []
    for pair in 0..<pairs {
      // Whichever is first has what the machine is warming up to: they change places.
      if pair.isMultiple(of: 2) { off.append(try times(with: [])) }
      on.append(try times(with: option))
      if !pair.isMultiple(of: 2) { off.append(try times(with: [])) }
    }
    let effect = RealTimeEffect(option: option.joined(separator: " "), off: off, on: on)
    if json {
      try Terminal.json(effect)
    } else {
      for line in effect.lines { Terminal.line(line) }
    }
  }
}
