import AlertCore
import ArgumentParser
import Bridge
import Emulator
import FobBase
import Foundation
import SerialIO
import Synchronization
import Transport
import WireProtocol

/// `fob bench realtime`: what each of the real-time options is worth on this machine.
struct RealTimeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "realtime",
    abstract: "Measure what --realtime, --lock-memory and --cpu are worth on this machine.",
    discussion: """
      For each option, pairs of short runs: one without it, one with it, each a process of its own \
      with an emulated keychain, a pty, bridge and core. An effect is told where every pair says \
      the same; with six pairs that is chance once in 32 times. All else is noise.

      On an idle machine there is little to gain; --busy shows what the options keep away.
      """)

  @Option(help: "Presses per run, 1 to 10000.")
  var presses = 100

  @Option(help: "Pairs of runs, one without and one with the option, 3 to 100.")
  var pairs = 6

  @Option(help: "Number of threads that keep the machine busy meanwhile, 0 to 1024.")
  var busy = 0

  @OptionGroup var output: JSONOption

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
      try output.begin()
      try Interruption.cleansUp()
      if block { return try playBlock() }
      let folder = try StateFolder.temporary()
      defer { StateFolder.remove(folder) }
      let busy = try BusyThreads(busy)
      defer { busy.stop() }
      let options = try chosen()
      var progress = ProgressLine("pairs of runs", of: pairs * options.count)
      for (done, option) in options.enumerated() {
        try compare(option, in: folder) { progress.show(done * pairs + $0) }
      }
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
    try Terminal.json(times)
  }

  private func times(with option: [String], in folder: String) throws -> RealTimeTimes {
    var program = try ChildProcess(
      ["bench", "realtime", "--block", "--presses", "\(presses)"] + option,
      variables: ["TMPDIR": folder])
    let deadline = BootClock.now() + .seconds(60 + Int64(presses))
    guard let line = try program.line(until: deadline) else {
      // What stood in its way it has said on standard error.
      throw Failure(.refused, "a run with \(option.joined(separator: " ")) came to no end")
    }
    return try JSONDecoder().decode(RealTimeTimes.self, from: Data(line.text.utf8))
  }

  // MARK: Pairs

  /// - Parameter tell: how many pairs were made.
  private func compare(
    _ option: [String], in folder: String, _ tell: (Int) -> Void
  ) throws {
    var off: [RealTimeTimes] = []
    var on: [RealTimeTimes] = []
    for pair in 0..<pairs {
      tell(pair)
      // Whichever is first has what the machine is warming up to: they change places.
      if pair.isMultiple(of: 2) { off.append(try times(with: [], in: folder)) }
      on.append(try times(with: option, in: folder))
      if !pair.isMultiple(of: 2) { off.append(try times(with: [], in: folder)) }
    }
    let effect = RealTimeEffect(option: option.joined(separator: " "), off: off, on: on)
    if output.json {
      try Terminal.json(effect)
    } else {
      for line in effect.lines { Terminal.line(line) }
    }
  }
}

/// Threads that do nothing, all the time.
final class BusyThreads: Sendable {
  private let isOver = Atomic(false)

  init(_ count: Int) throws(IOFailure) {
    for _ in 0..<count {
      _ = try BlockingThread(name: "busy") { [self] in
        while !isOver.load(ordering: .relaxed) {}
      }
    }
  }

  func stop() { isOver.store(true, ordering: .relaxed) }
}

/// What an option has changed, as pairs of runs say it.
struct RealTimeEffect: Encodable, Equatable {
  enum Verdict: String, Encodable { case better, worse, noise }

  struct Row: Encodable, Equatable {
    let name: String
    /// Medians over the runs, µs.
    let off: Int64
    let on: Int64
    let verdict: Verdict
  }

  let bench = "realtime"
  let option: String
  let pairs: Int
  let rows: [Row]

  /// - Parameters: as many runs of each, the pairs side by side.
  init(option: String, off: [RealTimeTimes], on: [RealTimeTimes]) {
    self.option = option
    pairs = min(off.count, on.count)
    let open = (off + on).compactMap(\.uncertainty).max().map { ", ±\($0) µs" } ?? ""
    let stages: [(String, KeyPath<RealTimeTimes, [Int64]>)] = [
      ("press → decided\(open)", \.decided), ("wire (t1 → t2)\(open)", \.wire),
      ("engine (t2 → t3)", \.engine),
    ]
    rows = stages.flatMap { name, times in
      [("median", \StartFigures.median), ("p99", \StartFigures.p99)].map { word, figure in
        Row(
          name: "\(name), \(word)",
          off: off.map { Self.figure(figure, of: $0[keyPath: times]) },
          on: on.map { Self.figure(figure, of: $0[keyPath: times]) })
      }
    }
  }

  private static func figure(
    _ figure: KeyPath<StartFigures, Int64>, of times: [Int64]
  ) -> Int64 {
    times.isEmpty ? 0 : StartFigures(times)[keyPath: figure]
  }

  /// A heading and a line for each row.
  var lines: [String] {
    ["\(option), \(pairs) pairs of runs, in ms               off        on"]
      + rows.map { row in
        "  " + StageTable.pad(row.name, 34) + StageTable.column(row.off) + StageTable.column(row.on)
          + "   "
          + (row.verdict == .noise ? "noise" : "\(row.verdict.rawValue) by \(Self.change(row))")
      }
  }

  private static func change(_ row: Row) -> String {
    let difference = abs(row.on - row.off)
    return row.off > 0 ? "\(difference * 100 / row.off) %" : "\(difference) µs"
  }
}

extension RealTimeEffect.Row {
  /// An effect is what every pair says: six of six are chance once in 32 times.
  init(name: String, off: [Int64], on: [Int64]) {
    self.name = name
    self.off = StartFigures(off).median
    self.on = StartFigures(on).median
    let pairs = zip(off, on)
    verdict =
      pairs.allSatisfy({ $0 > $1 }) ? .better : pairs.allSatisfy({ $0 < $1 }) ? .worse : .noise
  }
}

/// The times of one run, µs, a press each.
struct RealTimeTimes: Codable, Equatable {
  /// First edge to decided.
  var decided: [Int64] = []
  /// Frame written by the keychain to read returned at the bridge.
  var wire: [Int64] = []
  /// Read returned to decided, t2 to t3.
  var engine: [Int64] = []
  /// The most that the clock fit of a press left open, of the first two; nil: none was fitted.
  var uncertainty: Int64?
}

/// One short run: presses one after the other, each awaited.
struct RealTimeBlock {
  private let tuning: LineTuning
  private static let hold = Interval.milliseconds(40)
  private static let patience = Interval.seconds(20)

  init(_ tuning: LineTuning) { self.tuning = tuning }

  /// The stages of the press that was told of last.
  private final class Seen: Sendable {
    let stages = Mutex<PressStages?>(nil)
    let isIdle = Atomic(false)
    let signal: EventSignal

    init() throws(IOFailure) { signal = try EventSignal() }

    func add(_ event: BridgeEvent) {
      switch event {
      case .stages(let new): stages.withLock { $0 = new }
      case .led(_, let light) where light.shown == .idle: isIdle.store(true, ordering: .releasing)
      default: return
      }
      signal.signal()
    }
  }

  func times(ofPresses count: Int) throws -> RealTimeTimes {
    let scratch = try StateFolder.temporary()
    defer { StateFolder.remove(scratch) }
    let keychain = try EmulatedKeychain(EmulatorConfiguration(linkPath: scratch + "/keychain"))
    try keychain.start()
    defer { keychain.stop() }
    var plan = CoreService.Plan(
      folder: scratch, controlPath: scratch + "/bridge.sock", alarm: try AlarmOptions.parse([]))
    plan.tuning = tuning
    plan.isQuiet = true
    let coreService = try CoreService(
      plan, timeline: Timeline(isJSON: true, began: BootClock.now()))
    defer { coreService.stop() }
    let seen = try Seen()
    coreService.watch { seen.add($0) }
    try coreService.start([keychain.line])
    try wait(seen, for: "the keychain") { seen.isIdle.load(ordering: .acquiring) }
    var times = RealTimeTimes()
    for _ in 0..<count {
      guard case .event(let number) = try keychain.perform(.press(hold: Self.hold)) else {
        continue
      }
      try wait(seen, for: "press \(number.text)") {
        seen.stages.withLock { $0?.event == number.text }
      }
      guard let stages = seen.stages.withLock({ $0 }), let edge = stages.edge,
        let written = stages.written, let decided = stages.decided
      else { continue }
      times.uncertainty = [times.uncertainty, stages.uncertainty].compactMap(\.self).max()
      times.decided.append(decided - edge)
      times.wire.append(stages.read - written)
      times.engine.append(decided - stages.read)
    }
    return times
  }

  private func wait(_ seen: Seen, for what: String, until isSo: () -> Bool) throws {
    let deadline = BootClock.now() + Self.patience
    while true {
      seen.signal.clear()
      if isSo() { return }
      guard BootClock.now() < deadline else {
        throw Failure(.timedOut, "the run waited 20 s for \(what), in vain")
      }
      _ = try Syscall.poll(seen.signal.descriptor, for: 1, until: deadline)
    }
  }
}
