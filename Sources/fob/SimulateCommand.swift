import ArgumentParser
import FobBase
import Judge
import Simulation

/// `fob simulate`: production code in seeded worlds full of faults, judged from outside.
struct SimulateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "simulate",
    abstract: "Plays seeded worlds full of faults, and looks for an alarm that is lost.",
    discussion: """
      In each world the firmware, both ends of the link and the alert core run as they are \
      shipped, in one thread of virtual time. Its seed decides the rest: how many keychains, \
      hosts and contacts there are, which faults strike, when, and how. A judge that shares no \
      code with the core looks on. The same seed gives the same world, on every machine and in \
      every build.

      Where a rule is broken, it ends with 1, the shortest schedule found that still breaks it, \
      what was done and seen last, and the command that repeats it.
      """)

  @Option(help: "All these seeds, as in 1..1000.")
  var seeds: SeedRange?

  @Option(help: "This seed alone.")
  var seed: UInt64?

  @Option(help: "Seeds from a random one on, for so long. (default: 10)")
  var seconds: Double?

  @Option(help: "With one seed, of all that is done in its world only this, as in 3,7,12.")
  var acts: ActionNumbers?

  @Option(help: "Worlds played at once. (default: one a processor)")
  var threads: Int?

  @Option(help: "Of a violation's timeline, so many of the last lines.")
  var lines: Int = 60

  @Flag(help: "The table of what the worlds met, as is printed of 100 innocent worlds or more.")
  var coverage = false

  @Flag(help: "A line for each seed with the hash of all that was seen and of every byte.")
  var hash = false

  @Flag(help: "The timeline of one seed, though it breaks no rule.")
  var timeline = false

  @Option(
    help: "Measures one processor on a world in which nothing happens, without or with GPS.")
  var speed: IdleSpeed.World?

  func validate() throws {
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
    if onlySeed == nil, acts != nil || timeline {
      throw ValidationError(
        "--acts and --timeline go with one seed, as in --seed 4711 or --seeds 4711..4711")
    }
    if acts != nil, hash || coverage {
      throw ValidationError("--acts goes without --hash and --coverage")
    }
  }

  func run() throws {
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
    var schedule = Schedule(seed: seed)
    if let acts { schedule = schedule.keeping(acts.numbers) }
    let outcome = schedule.play(keepingJournal: true)
    let report = ViolationReport(lines: lines)
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
    let given = onlySeed.map { $0...$0 } ?? seeds?.range
    let range = given ?? Self.randomSeeds()
    if given == nil { Terminal.line("seeds from \(range.lowerBound)") }
    let search = SeedSearch(
      range, keepsHashes: hash, threads: threads ?? SeedSearch.processors)
    let pace = try search.run(
      for: given == nil ? .microseconds(Int64((seconds ?? 10) * 1e6)) : nil, until: termination)
    let summary = search.summary
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
    let report = ViolationReport(lines: lines)
    let whole = Schedule(seed: found.seed)
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
