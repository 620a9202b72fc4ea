import ArgumentParser
import Bench
import FobBase
import SerialIO
import Simulation

/// `fob bench load`: how many keychains a bridge carries, and what each costs.
struct LoadCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "load",
    abstract: "Measure how many keychains a bridge carries until presses are decided too late.",
    discussion: """
      Emulated keychains, each with a fix and a heartbeat a second, and a bridge with its store \
      run in this process. Their number is doubled until the p99 of press→decided passes --limit \
      or a press is lost, then bisected. press→decided begins at the first edge, so 15 ms of \
      debounce are in it; stored→decided begins where that has stored the press. late is how long \
      after its time a keychain is served: the fleet keeps real time where it is small. Where \
      one owner has all keychains each press is shown by every one, so what it costs grows with \
      their number; with --owners each a press is its own owner's alone. With --rate 0 there is \
      none, and late is what is held to the limit. durable, told and light begin at the first \
      edge, too: told of presses that opened an alarm, at a channel that ends in this process. \
      emulator and bridge are processor time for each keychain in each second; on memory: both \
      ends share a thread and the first figure is of both. With --search rate the number of \
      keychains stays, and the presses a second are searched.
      """)

  @Option(help: "Kind of the keychains' lines: memory:, unix: or pty:.")
  var on: LoadTransport = .unix

  @Option(help: "Whose the keychains are: one owner's, or each its own owner's.")
  var owners: BenchOwners = .one

  @Option(help: "Highest p99 of press→decided, in milliseconds.")
  var limit: Double = 50

  @Option(
    help: "What is searched: how many keychains, or at which rate --keychains of them are pressed.")
  var search: LoadSearch = .keychains

  @Option(parsing: .upToNextOption, help: "Numbers of keychains to measure, in place of a search.")
  var keychains: [Int] = []

  @Option(help: "How often the numbers of --keychains are measured, 1 to 1000. (default: 1)")
  var rounds: Int?

  @Option(help: "Number at which the search begins. (default: 64)")
  var from: Int?

  @Option(help: "Number at which the search ends. (default: 16384)")
  var most: Int?

  @Option(help: "Seconds that each number is measured, 0.1 to 3600.")
  var seconds: Double = 5

  @Option(help: "Presses a second, of all keychains together; each makes 4 at most. 0: none.")
  var rate: Double = 50

  @OptionGroup var output: JSONOption

  func validate() throws {
    guard limit > 0 else { throw ValidationError("--limit takes more than 0 ms") }
    guard keychains.allSatisfy({ (1...100_000).contains($0) }) else {
      throw ValidationError("--keychains takes numbers from 1 to 100000")
    }
    guard search == .keychains || keychains.count == 1 && rounds == nil else {
      throw ValidationError("--search rate takes one number of --keychains, and no --rounds")
    }
    guard keychains.isEmpty || search == .rate || (from == nil && most == nil) else {
      throw ValidationError("--keychains takes the place of a search: --from and --most are of one")
    }
    guard !keychains.isEmpty || rounds == nil else {
      throw ValidationError("--rounds says nothing without --keychains")
    }
    let (from, most) = bounds
    guard from >= 1, from <= most, most <= 100_000 else {
      throw ValidationError("--from takes 1 to --most, and that 100000 at most")
    }
    guard (1...1_000).contains(rounds ?? 1) else {
      throw ValidationError("--rounds takes 1 to 1000")
    }
    guard (0.1...3_600).contains(seconds) else {
      throw ValidationError("--seconds takes 0.1 to 3600")
    }
    guard rate == 0 || (0.1...10_000).contains(rate) else {
      throw ValidationError("--rate takes 0, or 0.1 to 10000 presses a second")
    }
  }

  func run() throws {
    try Failure.mapped {
      try output.begin()
      try Interruption.cleansUp()
      DescriptorLimit.raise()
      var ladder =
        keychains.isEmpty || search == .rate
        ? LoadLadder(from: bounds.from, to: bounds.most)
        : LoadLadder(steps: (0..<(rounds ?? 1)).flatMap { _ in keychains })
      var report = LoadReport(
        on: on.rawValue, owners: owners.rawValue, limit: limit, search: search.rawValue)
      Terminal.line(LoadTable.head)
      // How many steps a search takes is known at its end.
      let steps = search == .rate ? 0 : keychains.count * (rounds ?? 1)
      var progress = steps == 0 ? nil : ProgressLine("steps", of: steps)
      while let number = ladder.next() {
        progress?.show(report.steps.count)
        let step =
          try search == .rate
          ? measured(keychains[0], rate: Double(number)) : measured(number, rate: rate)
        report.steps.append(step)
        ladder.note(number, isCarried: step.isCarried(within: Int64(limit * 1_000)))
        Terminal.line(LoadTable.row(of: step))
      }
      (report.carried, report.refused) = (ladder.carried, ladder.refused)
      try tell(report)
    }
  }

  private var bounds: (from: Int, most: Int) { (from ?? 64, most ?? 16_384) }

  private func measured(_ count: Int, rate: Double) throws -> LoadStep {
    let folder = try StateFolder.temporary()
    defer { StateFolder.remove(folder) }
    do {
      let rig = try LoadRig(count, on: on, of: owners, folder: folder)
      defer { rig.stop() }
      try rig.start()
      try rig.calm()
      return try rig.measure(
        .microseconds(Int64(seconds * 1e6)), rate: rate, warmUp: .seconds(3))
    } catch {
      var step = LoadStep(keychains: count, rate: rate)
      step.refusal = (error as? Failure)?.text ?? "\(error)"
      return step
    }
  }

  private func tell(_ report: LoadReport) throws {
    for line in LoadTable.ratios(report.steps) { Terminal.line(line) }
    Terminal.line(report.summary)
    if output.json { try Terminal.json(report) }
    if report.steps.contains(where: { $0.lost + $0.doubled > 0 }) {
      throw Failure(.expectationMissed, "presses were lost or doubled")
    }
  }
}

/// What `fob bench load` searches.
enum LoadSearch: String, ExpressibleByArgument, CaseIterable { case keychains, rate }

/// The steps of a load as a table, a row each, and what they come to.
enum LoadTable {
  private static let heads = [
    "keychains", "rate", "presses", "lost", "press→decided p50", "p99", "durable p99", "told p99",
    "light p99", "stored→decided p50", "p99", "late p99", "emulator", "bridge", "memory",
    "scarcest",
  ]

  static var head: String { row(heads) }

  static func row(of step: LoadStep) -> String {
    if let refusal = step.refusal { return "\(pad(step.keychains, heads[0]))  \(refusal)" }
    return row([
      "\(step.keychains)", tenths(step.rate), "\(step.presses)", "\(step.lost + step.doubled)",
      time(step.pressToDecided?.median), time(step.pressToDecided?.p99),
      time(step.pressToDurable?.p99), time(step.pressToTold?.p99), time(step.pressToLight?.p99),
      time(step.storedToDecided?.median), time(step.storedToDecided?.p99), time(step.lateP99),
      cost(step.emulatorTime), cost(step.bridgeTime),
      "\((step.emulatorMemory + step.bridgeMemory) / 1_024) KiB",
      ResourceUse.scarcest(step.uses).map { "\($0.resource.rawValue) \(percent($0.share))" } ?? "-",
    ])
  }

  /// Each number of keychains beside the least: the medians over rounds of the p99s.
  static func ratios(_ steps: [LoadStep]) -> [String] {
    let counts = Set(steps.map(\.keychains)).sorted()
    guard let least = counts.first else { return [] }
    return counts.dropFirst().compactMap { count in
      let words: [String] = [
        ("press→decided", \LoadStep.pressToDecided), ("stored→decided", \.storedToDecided),
      ].compactMap { name, path in
        guard let many = middle(steps, count, path), let few = middle(steps, least, path), few > 0
        else { return nil }
        return "\(name) \(time(many)) / \(time(few)) = \(hundredths(Double(many) / Double(few)))"
      }
      return words.isEmpty ? nil : "p99 of \(count) / of \(least): " + words.joined(separator: ", ")
    }
  }

  private static func middle(
    _ steps: [LoadStep], _ count: Int, _ path: KeyPath<LoadStep, Spread?>
  ) -> Int64? {
    Spread(steps.filter { $0.keychains == count }.compactMap { $0[keyPath: path]?.p99 })?.median
  }

  private static func row(_ fields: [String]) -> String {
    zip(fields, heads).map { NumberText.right($0, max(9, $1.count)) }.joined(separator: "  ")
  }

  private static func pad(_ number: Int, _ head: String) -> String {
    NumberText.right("\(number)", max(9, head.count))
  }

  private static func time(_ microseconds: Int64?) -> String {
    guard let microseconds else { return "-" }
    return microseconds < 10_000
      ? "\(microseconds) µs" : "\(tenths(Double(microseconds) / 1_000)) ms"
  }

  private static func cost(_ microseconds: Double) -> String { "\(tenths(microseconds)) µs" }

  private static func percent(_ share: Double) -> String { "\(Int((share * 100).rounded())) %" }

  private static func tenths(_ value: Double) -> String { "\((value * 10).rounded() / 10)" }

  private static func hundredths(_ value: Double) -> String { "\((value * 100).rounded() / 100)" }
}
