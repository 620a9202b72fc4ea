import ArgumentParser
import FobBase
import Glibc
import Judge
import SerialIO
import Simulation
import Synchronization

/// `fob simulate`: production code in seeded worlds full of faults, judged from outside.
struct SimulateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "simulate",
    abstract: "Play seeded worlds full of faults, and search for an alarm that is lost.",
    discussion: """
      In each world the firmware, both ends of the link and the alert core run as they are \
      shipped, in one thread of virtual time. Its seed decides the rest: how many keychains, hosts \
      and contacts there are, which faults strike, when, and how. A judge that shares no code with \
      the core looks on. The same seed gives the same world, on every machine and in every build.

      Where a rule is broken, it ends with 1, the shortest schedule found that still breaks it, \
      what was done and seen last, and the command that repeats it.
      """,
    subcommands: [SimulateMergeCommand.self])

  @Option(help: "Play all these seeds, e.g. 1..1000.")
  var seeds: SeedRange?

  @Option(help: "With --seeds: play the Kth of N parts of them, e.g. 3/16.")
  var shard: Shard?

  @Option(help: "Play only this seed.")
  var seed: UInt64?

  @Option(help: "Play seeds from a random one on for so many seconds. (default: 10)")
  var seconds: Double?

  @Option(help: "With --seed: perform only these numbered actions, e.g. 3,7,12.")
  var acts: ActionNumbers?

  @Flag(help: "Pair each keychain, and put somebody without a key on the wires.")
  var attacked = false

  @Option(help: "Number of worlds played at once. (default: one per processor)")
  var threads: Int?

  @Option(help: "How many final timeline lines to print for a violation.")
  var lines: Int = 60

  @Flag(help: "Print what the worlds met (printed anyway after 100 worlds without a violation).")
  var coverage = false

  @Flag(help: "Print for each seed the hash of all that was seen and of every byte.")
  var hash = false

  @Flag(help: "With --seed: print the timeline even if no rule is broken.")
  var timeline = false

  @Option(
    help: "Measure one processor on a world in which nothing happens, without or with GPS.")
  var speed: IdleSpeed.World?

  @OptionGroup var output: JSONOption

  func validate() throws {
    if let shard {
      guard let range = seeds?.range else { throw ValidationError("--shard goes with --seeds") }
      guard shard.part(of: range) != nil else {
        throw ValidationError("--shard: there are fewer seeds than parts, or more than 2^64 - 1")
      }
    }
    guard !output.json || (speed == nil && acts == nil && !hash && !coverage && !timeline) else {
      throw ValidationError(
        "--json goes without --speed, --acts, --hash, --coverage and --timeline")
    }
    let sources = [seeds != nil, seed != nil, seconds != nil, speed != nil].count { $0 }
    guard sources <= 1 else {
      throw ValidationError("give one of --seeds, --seed, --seconds and --speed")
    }
    if let seconds, !(seconds > 0 && seconds <= 31_536_000) {
      throw ValidationError("--seconds takes more than 0, up to 31536000")
    }
    if let threads, !(1...SeedsAtCrash.maxThreads).contains(threads) {
      throw ValidationError("--threads takes 1 to \(SeedsAtCrash.maxThreads)")
    }
    guard lines > 0 else { throw ValidationError("--lines takes 1 or more") }
    guard speed == nil || (threads == nil && acts == nil && !coverage && !hash && !timeline) else {
      throw ValidationError(
        "--speed measures one world on one processor: --threads, --acts, --coverage, --hash and"
          + " --timeline say nothing then")
    }
    guard speed == nil || !attacked else {
      throw ValidationError("--speed measures a world in which nothing happens: not --attacked")
    }
    guard threads == nil || (acts == nil && !timeline) else {
      throw ValidationError("--acts and --timeline play one world: --threads says nothing then")
    }
    guard !timeline || (!hash && !coverage) else {
      throw ValidationError("--timeline goes without --hash and --coverage")
    }
    if onlySeed == nil, acts != nil || timeline {
      throw ValidationError(
        "--acts and --timeline go with one seed, as in --seed 4711 or --seeds 4711..4711")
    }
    if acts != nil, hash || coverage {
      throw ValidationError("--acts goes without --hash and --coverage")
    }
  }

  func run() throws {
    try output.begin()
    let isInnocent = try Failure.mapped {
      if let speed {
        Terminal.line(IdleSpeed.measured(speed))
        return true
      }
      if let onlySeed, acts != nil || timeline { return replay(onlySeed) }
      return try search()
    }
    // Without a word more: what was found stands on standard output.
    if !isInnocent { throw ExitCode(ExitStatus.expectationMissed.rawValue) }
  }

  /// The one seed that is meant, if there is one.
  private var onlySeed: UInt64? {
    if let seed { return seed }
    guard let range = seeds?.range, range.count == 1 else { return nil }
    return range.lowerBound
  }

  // MARK: One world

  private func replay(_ seed: UInt64) -> Bool {
    var schedule = Schedule(seed: seed, isAttacked: attacked)
    if let acts { schedule = schedule.keeping(acts.numbers) }
    let outcome = schedule.play(keepingJournal: true)
    let report = ViolationReport(lines: lines, isAttacked: attacked)
    report.say(outcome)
    Terminal.line("trace hash \(Hex.text(outcome.hash, digits: 16))")
    guard let violation = outcome.violations.first else {
      Terminal.line("no violation")
      return true
    }
    report.say(SearchSummary.Found(seed: seed, violation: violation))
    return false
  }

  // MARK: Many

  /// - Returns: whether no rule was broken.
  private func search() throws -> Bool {
    // Before any thread is started.
    let termination = try Termination()
    let asked = seeds?.range
    let given = onlySeed.map { $0...$0 } ?? asked.flatMap { shard?.part(of: $0) ?? $0 }
    let range = given ?? Self.randomSeeds()
    if given == nil, !output.json { Terminal.line("seeds from \(range.lowerBound)") }
    let search = SeedSearch(
      range, isAttacked: attacked, keepsHashes: hash, threads: threads ?? Processors.online)
    let pace = try search.run(
      for: given == nil ? .microseconds(Int64((seconds ?? 10) * 1e6)) : nil, until: termination)
    let summary = search.summary
    guard !output.json else {
      try Terminal.json(
        SearchReport(
          summary, from: range.lowerBound, isAttacked: attacked, playing: pace.playing))
      return summary.found == nil
    }
    for (seed, hash) in summary.hashes { Terminal.line("\(seed) \(Hex.text(hash, digits: 16))") }
    if coverage || (summary.found == nil && summary.schedules >= 100) {
      for line in CoverageTable(summary.coverage).lines { Terminal.line(line) }
    }
    if let found = summary.found { explain(found) }
    Terminal.line("trace hash of all \(Hex.text(summary.hash, digits: 16))")
    Terminal.line(pace.summary(of: summary))
    return summary.found == nil
  }

  private func explain(_ found: SearchSummary.Found) {
    let report = ViolationReport(lines: lines, isAttacked: attacked)
    let whole = Schedule(seed: found.seed, isAttacked: attacked)
    Terminal.error("  shrinking \(NumberText.count(whole.acts.count, "act"))")
    let (shrunk, plays) = whole.shrunk(keeping: found.violation)
    let outcome = shrunk.play(keepingJournal: true)
    report.say(outcome)
    Terminal.line(
      "shrunk from \(whole.acts.count) to \(NumberText.count(shrunk.acts.count, "act"))"
        + " in \(NumberText.count(plays, "play"))")
    report.say(found)
    guard outcome.violations.first?.rule == found.violation.rule else {
      return report.sayThatItDoesNotRepeat(found)
    }
    report.repeating(found.seed, acts: nil)
    report.repeating(found.seed, acts: shrunk.acts.map(\.number))
  }

  /// Nine digits, so that a person can type them.
  private static func randomSeeds() -> ClosedRange<UInt64> {
    UInt64.random(in: 100_000_000...999_999_999)...UInt64.max
  }
}

/// A world in which a rule was broken, for a person who has to find out why.
struct ViolationReport {
  /// Of the timeline.
  let lines: Int
  let isAttacked: Bool

  /// What the world is made of, what was done, and what was seen last.
  func say(_ outcome: Outcome) {
    for line in outcome.schedule.words { Terminal.line(line) }
    Terminal.line("timeline:")
    for line in WorldTimeline(outcome).last(lines) { Terminal.line(line) }
  }

  func say(_ found: SearchSummary.Found) {
    let violation = found.violation
    Terminal.line(
      "seed \(found.seed): \(violation.rule.rawValue) at \(NumberText.seconds(violation.at)):"
        + " \(violation.detail)")
  }

  func sayThatItDoesNotRepeat(_ found: SearchSummary.Found) {
    Terminal.line(
      "it does NOT repeat: the world is not deterministic; compare the hashes of"
        + " fob simulate --seeds \(found.seed)..\(found.seed)\(wires) --hash")
  }

  /// - Parameter acts: of the shrunk schedule; nil: all.
  func repeating(_ seed: UInt64, acts: [Int]?) {
    let numbers = acts.map { $0.map(String.init).joined(separator: ",") }
    let option = numbers.map { " --acts \($0.isEmpty ? "''" : $0)" } ?? ""
    Terminal.line("repeat: fob simulate --seeds \(seed)..\(seed)\(wires)\(option)")
  }

  private var wires: String { isAttacked ? " --attacked" : "" }
}

/// A search on several threads, with its progress on standard error.
final class SeedSearch: Sendable {
  private let state: Mutex<Search>
  private let isAttacked: Bool
  private let keepsHashes: Bool
  private let threads: Int
  private let seeds: ClosedRange<UInt64>

  /// Between two lines of progress, where standard error is no terminal.
  private static let every = Interval.seconds(10)

  init(_ seeds: ClosedRange<UInt64>, isAttacked: Bool, keepsHashes: Bool, threads: Int) {
    state = Mutex(Search(seeds: seeds, keepsHashes: keepsHashes))
    self.isAttacked = isAttacked
    self.keepsHashes = keepsHashes
    self.threads = threads
    self.seeds = seeds
  }

  var summary: SearchSummary { state.withLock { $0.summary } }

  /// Plays until all seeds are played, a rule is broken, the time is over, or Ctrl-C; what has been
  /// begun then is played to its end.
  func run(for span: Interval?, until termination: borrowing Termination) throws -> PlaySpeed {
    SeedsAtCrash.install()
    let began = BootClock.now()
    let workers = try (0..<threads).map { index throws(IOFailure) in
      try BlockingThread(name: "world \(index + 1)") { [self] in play(index) }
    }
    var progress = ProgressLine(
      "schedules",
      of: span == nil ? Int(clamping: (seeds.upperBound - seeds.lowerBound) &+ 1) : nil,
      ends: span.map { began + $0 })
    var nextReport = began + Self.every
    var isStopping = false
    for worker in workers {
      while !worker.join(within: .milliseconds(50)) {
        let now = BootClock.now()
        let isOver = span.map { $0 <= now - began } ?? false
        if !isStopping, isOver || termination.wait(until: now) {
          isStopping = true
          state.withLock { $0.stop() }
        }
        progress.show(state.withLock { $0.summary.schedules })
        if nextReport <= now, !Terminal.hasProgress {
          Terminal.error(
            "  " + PlaySpeed(elapsed: now - began, threads: threads).progress(of: summary))
          nextReport = now + Self.every
        }
      }
    }
    return PlaySpeed(elapsed: BootClock.now() - began, threads: threads)
  }

  private func play(_ thread: Int) {
    defer { SeedsAtCrash.played(on: thread) }
    while let seeds = state.withLock({ $0.take() }) {
      let played = SearchSummary(
        playing: seeds, isAttacked: isAttacked, keepsHashes: keepsHashes
      ) {
        SeedsAtCrash.playing($0, on: thread)
      }
      state.withLock { $0.put(played, of: seeds) }
    }
  }
}
