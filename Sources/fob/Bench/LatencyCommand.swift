import ArgumentParser
import Bench
import Conformance
import FobBase
import Foundation
import SerialIO
import Storage

/// `fob bench latency`: presses on a schedule, and how long each stage of their way takes.
struct LatencyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "latency",
    abstract: "Measure how long a press takes, from the first edge to the light, stage by stage.",
    discussion: """
      Without --device it makes its own rig: emulated keychains on ptys and a bridge with its \
      store, in this process. With it, the keychain is elsewhere, and what presses is the \
      actuator: \(ActuatorSpec.forms). An emulator's control socket is found by itself; where \
      there is nothing, press by hand: then no press has a due time, and none can be missed.

      Each press is made when it is due, whatever became of the one before: times are told from \
      the due time, too, so that what a slow machine held up is not left out. In the same run and \
      between the presses, bytes go over a pty from one thread to another that do nothing else: \
      the floor.

      Nobody is told of an alarm. A keychain in use that still keeps a press is refused, unless \
      --forget is given: the press would be acked here and be lost to its core.

      --compare with the JSON of an earlier run is quickly done, but a machine is in another state \
      a minute later, which may hide or feign some 20 µs. With an earlier fob, both make the same \
      presses at the same time, in short parts that are processes of their own.

      --live shows the distribution so far while it is measured: in place in a terminal, elsewhere \
      every 10 s.

      It ends with 1 where a press was lost or, with --compare, a stage is worse, and with 71 \
      where the presses were not made on time. Ctrl-C ends the run early; what was measured is \
      told.
      """)

  @Option(
    help: "Line of the keychain, e.g. pty:/tmp/fob.pty. (default: emulated keychains)",
    completion: .deviceSpec, transform: DeviceSpec.option)
  var device: DeviceSpec?

  @Option(help: "With --device: actuator, which presses it: \(ActuatorSpec.forms).")
  var actuator: String?

  @Option(help: "Presses a second, of all keychains together. (default: 20; with --device 8)")
  var rate: Double?

  @Option(
    help:
      "Number of emulated keychains, which press in turn. (default: one for 10 presses a second)")
  var keychains: Int?

  @Option(help: "Seconds that are measured. (default: 12; beside another program 24)")
  var duration: Double?

  @Option(
    help: """
      Seconds of presses before the measurement. (default: 2; beside another program 0.1 a part)
      """)
  var warmUp: Double?

  @Option(help: "Highest p99 of the pacing error, in µs; above it the figures are refused.")
  var maxPacingError: Int64 = 1_000

  @Option(help: "Random seed for the times of the presses.")
  var seed: UInt64 = 1

  @Option(
    help: """
      Keep the state in this PostgreSQL database, as fob core does: an empty one, in which the \
      presses stay. (default: SQLite)
      """)
  var store: String?

  @OptionGroup var output: JSONOption

  @OptionGroup var files: LatencyFiles

  @Option(
    help: """
      Compare with an earlier run (its JSON), or with an earlier fob that runs beside this one: \
      better, worse or noise.
      """)
  var compare: BaselineRun?

  @Flag(help: "Show the distribution so far of each stage, and a histogram, while it runs.")
  var live = false

  @Flag(
    help: """
      Pair the emulated keychains with the core, so that their links are sealed. Beside another \
      fob, those of this one alone.
      """)
  var sealed = false

  @Flag(help: "Run even if the keychain still holds an undelivered press. That press will be lost.")
  var forget = false

  @Option(help: ArgumentHelp("For tests: STAGE:µs of work in a stage.", visibility: .hidden))
  var plant: PlantedDelay?

  func validate() throws {
    guard (0.1...86_400).contains(seconds), (0...600).contains(secondsBefore) else {
      throw ValidationError("--duration takes 0.1 to 86400 seconds, --warm-up 0 to 600")
    }
    guard rate.map({ (0.001...1_000).contains($0) }) ?? true else {
      throw ValidationError("--rate takes 0.001 to 1000 presses a second")
    }
    guard (1...64).contains(count) else {
      throw ValidationError("--keychains takes 1 to 64: 640 presses a second at most")
    }
    let most = 1_000_000 / Double(PressSchedule.minPeriod.microseconds) * Double(count)
    guard presses < most else {
      throw ValidationError(
        "--rate \(presses): \(count) keychain\(count == 1 ? "" : "s") can be pressed \(Int(most))"
          + " times a second, since a contact is held for 25 ms and let go for 60;"
          + " give more --keychains")
    }
    if isBeside { try validateBeside() }
    guard device == nil || keychains == nil && plant == nil && !sealed else {
      throw ValidationError(
        "--keychains and --sealed are of emulated ones, and --device names one that is there")
    }
    guard store == nil || device == nil && !isBeside else {
      throw ValidationError("--store is of a run with emulated keychains, beside no other program")
    }
    guard device != nil || actuator == nil && !forget else {
      throw ValidationError("--actuator and --forget say nothing without --device")
    }
    do throws(RigFailure) {
      _ = try actuator.map { text throws(RigFailure) in try ActuatorSpec(text) }
    } catch {
      throw ValidationError("--actuator: \(error)")
    }
  }

  private func validateBeside() throws {
    guard !live else {
      throw ValidationError("--live shows one run: --compare with a program makes many short ones")
    }
    guard device == nil else {
      throw ValidationError(
        "--compare with a program takes emulated keychains, since a line has one host at a time;"
          + " with --device, name the JSON of an earlier run")
    }
    guard (Comparison.pairsAtLeast...Self.maxParts).contains(parts) else {
      let (least, most) = (Double(Comparison.pairsAtLeast), Double(Self.maxParts))
      throw ValidationError(
        "--duration: at \(presses) presses a second, \(Int((least * part).rounded(.up))) to"
          + " \(Int(most * part)) seconds are \(Int(least)) to \(Int(most)) parts beside another"
          + " program")
    }
  }

  func run() throws {
    try Failure.mapped {
      try output.begin()
      let outputs = try files.open()
      // Before any thread is started.
      let termination = try Termination()
      let folder = try StateFolder.temporary()
      defer { StateFolder.remove(folder) }
      switch compare {
      case .program(let old)?: try runBeside(old, in: folder, outputs, until: termination)
      case .run(let path)?: try runAlone(Self.read(path), in: folder, outputs, until: termination)
      case nil: try runAlone(nil, in: folder, outputs, until: termination)
      }
    }
  }

  private func runAlone(
    _ old: BenchResult?, in folder: String, _ outputs: LatencyFiles.Outputs,
    until termination: borrowing Termination
  ) throws {
    let book = LatencyBook()
    let rig = try makeRig(folder, book)
    defer { rig.stop() }
    let environment = BenchEnvironment.read(folder: folder)
    try rig.start()
    Terminal.line(opening(rig))
    let run = try LatencyRun(plan(rig), book: book, folder: folder) {
      try rig.press($0, at: $1)
    }
    LatencyWatch(run, isPaced: rig.isPaced, isLive: live).follow(until: termination)
    var result = run.finish()
    result.device = rig.name
    result.began = Date().ISO8601Format()
    result.environment = environment
    result.environment.loadAfter = BenchEnvironment.load()
    result.environment.options = options
    if let failure = run.failure { throw Failure(.ioError, "the finger gave up: \(failure)") }
    try LatencyOutcome(result, old: old).tell(outputs, asJSON: output.json)
  }

  private func runBeside(
    _ old: String, in folder: String, _ outputs: LatencyFiles.Outputs,
    until termination: borrowing Termination
  ) throws {
    Terminal.line(
      "beside \(old): \(parts) parts of \(part) s, in each \(pressed), \(presses) presses a second")
    let made = try PairedRun(
      old: old,
      arguments: [
        "--rate", "\(presses)", "--keychains", "\(count)", "--duration", "\(part)", "--warm-up",
        "\(secondsBefore)",
      ], ownArguments: (plant.map { ["--plant", "\($0)"] } ?? []) + (sealed ? ["--sealed"] : []),
      parts: parts, seed: seed,
      patience: Self.interval(part + secondsBefore) + .seconds(30)
    ).play(in: folder, until: termination)
    guard !made.new.isEmpty else { throw Failure(.expectationMissed, "no press was measured") }
    func whole(_ parts: [BenchResult]) -> BenchResult {
      BenchResult(parts: parts, pacingLimit: maxPacingError)
    }
    try LatencyOutcome(whole(made.new), old: whole(made.old), isSideBySide: true)
      .tell(outputs, asJSON: output.json)
  }

  /// What moves the figures, beside the rate.
  private var options: [String] {
    (device == nil ? ["keychains \(count)"] : []) + (sealed ? ["sealed"] : [])
      + (store == nil ? [] : ["PostgreSQL"]) + (plant.map { ["planted \($0)"] } ?? [])
  }

  private var isBeside: Bool { if case .program? = compare { true } else { false } }
  private var presses: Double { rate ?? (device == nil ? (isBeside ? 40 : 20) : 8) }
  private var seconds: Double { duration ?? (isBeside ? 24 : 12) }
  private var secondsBefore: Double { warmUp ?? (isBeside ? 0.1 : 2) }

  /// Seconds of a part beside another program, and how many there are.
  private var part: Double {
    max(PairedRun.minPart, PairedRun.pressesInPart / presses)
  }
  private var parts: Int { Int((seconds / part).rounded()) }
  /// The test counts all ways that signs can fall: the work grows with their cube.
  private static let maxParts = 300

  private var count: Int {
    keychains
      ?? (device == nil ? max(1, Int((presses / PressSchedule.rateOfKeychain).rounded(.up))) : 1)
  }

  private func makeRig(_ folder: String, _ book: LatencyBook) throws -> any LatencyRig {
    guard let device else {
      let server = try store.map { try PostgresServer($0) }
      return try EmulatedRig(
        keychains: count, isSealed: sealed, folder: folder, server: server, book: book,
        plant: plant)
    }
    let actuator = try actuator.map { try ActuatorSpec($0) }
    if !forget {
      try ConformBench(
        device.description, actuator: ActuatorSpec.none, slack: .zero, clockSlack: .zero, seed: 1
      ).refuseInUse()
    }
    return try DeviceRig(device, actuator: actuator, folder: folder, book: book)
  }

  private func plan(_ rig: any LatencyRig) -> LatencyRun.Plan {
    LatencyRun.Plan(
      rate: rig.isPaced ? presses : nil, devices: rig.devices, warmUp: Self.interval(secondsBefore),
      duration: Self.interval(seconds), lead: rig.lead, pacingLimit: maxPacingError, seed: seed)
  }

  private func opening(_ rig: any LatencyRig) -> String {
    let length = "\(Int(secondsBefore)) s to warm up, then \(Int(seconds)) s"
    guard rig.isPaced else {
      return "nothing here presses \(rig.name) (--actuator): press it by hand; \(length)"
    }
    return "\(device == nil ? pressed : rig.name), \(presses) presses a second: \(length)"
  }

  private var pressed: String { "\(count) emulated keychain\(count == 1 ? "" : "s")" }

  private static func interval(_ seconds: Double) -> Interval {
    .microseconds(Int64(seconds * 1_000_000))
  }

  private static func read(_ path: String) throws(Failure) -> BenchResult {
    do {
      return try BenchFile.read(path)
    } catch {
      throw Failure(.cannotOpen, "\(error)")
    }
  }
}

/// What `--compare` names: the JSON of an earlier run, or an earlier fob to run beside this one.
enum BaselineRun: ExpressibleByArgument {
  case run(String)
  case program(String)

  init(argument path: String) {
    let isExecutable = FileManager.default.isExecutableFile(atPath: path)
    let head = FileHandle(forReadingAtPath: path).flatMap { try? $0.read(upToCount: 1) }?.first
    // A file of some disks is executable whatever it is: JSON is told by how it begins.
    self =
      isExecutable && head != nil && head != UInt8(ascii: "{") ? .program(path) : .run(path)
  }
}

/// What `fob bench latency` presses and listens to.
protocol LatencyRig: Sendable {
  /// As the bridge names them; nil where that is not known beforehand.
  var devices: [String?] { get }
  /// For the report: "emulated", or the device's spec.
  var name: String { get }
  /// How long before its due time a press is to be handed over.
  var lead: Interval { get }
  /// Something presses; else a person does.
  var isPaced: Bool { get }

  /// Returns when all is linked.
  func start() throws
  /// Makes a press that is due then.
  func press(_ keychain: Int, at due: Instant) throws
  func stop()
}

/// `fob bench`: what a rig takes, how much it carries, and how soon it is well again.
struct BenchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bench",
    abstract: "Measure press latency, capacity and recovery time.",
    subcommands: [
      LatencyCommand.self, LoadCommand.self, RecoveryCommand.self, StartCommand.self,
      RealTimeCommand.self, DebounceCommand.self, BenchMergeCommand.self,
    ])
}
