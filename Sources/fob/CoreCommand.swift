import AlertCore
import ArgumentParser
import Bridge
import FobBase
import Glibc
import SerialIO
import Sinks
import Storage
import Synchronization

/// `fob core`: the alert core alone; keychains come in over bridges on other hosts.
struct CoreCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "core",
    abstract: "Run the alert core alone, fed by bridges on other hosts (fob bridge --core).",
    discussion: """
      Keeps the state, decides, and tells people by the notification channels of --config. The \
      account is made through the API. With --bench it is that of a bench: Owner, Contact 1, \
      Contact 2, and messages go to the log sink, too, for bench keychains only.
      """)

  @Option(
    help: "State folder. (default: $STATE_DIRECTORY, else $XDG_STATE_HOME/fob/core)",
    completion: .directory)
  var state: String?

  @Option(
    help: """
      PostgreSQL database to keep the state in, as postgres://USER@HOST/DATABASE; several hosts \
      are named with commas. The state folder then has tokens and keys alone. While another core \
      has that database, this one stands by, and takes over once that is dead. The password stands \
      in ~/.pgpass, or in a file that ?passfile= names. (default: SQLite in the state folder)
      """)
  var store: String?

  @Option(
    help: """
      With --store: on how many servers a press must be before it is acked, 1 to 16: as many as \
      synchronous_standby_names waits for, and one. With fewer nothing counts as durable. \
      (default: 1)
      """)
  var requireQuorum: Int?

  @Option(help: "Control socket. (default: core.sock in the runtime folder)")
  var control: String?

  @Option(
    help: "Notification channels: a YAML file with `sinks:`, or the name of a systemd credential.")
  var config: String?

  @Flag(
    help: """
      Use the bench account (Owner, Contact 1, Contact 2), print its PIN, log messages to a file.
      """)
  var bench = false

  @Option(help: "With --bench: file of the log sink. (default: alerts.jsonl in the state folder)")
  var log: String?

  @OptionGroup var alarm: AlarmOptions
  @OptionGroup var testClock: TestClockOption
  @OptionGroup var listen: ListenOptions

  @Option(help: "Write \"ready\" to this file descriptor when the core answers requests.")
  var readyFd: Int32?

  func validate() throws {
    if let requireQuorum {
      guard store != nil else { throw ValidationError("--require-quorum is for --store") }
      guard (1...16).contains(requireQuorum) else {
        throw ValidationError("--require-quorum takes 1 to 16, not \(requireQuorum)")
      }
    }
    guard
      bench || (log == nil && !alarm.pin.isGiven && alarm.place.isEmpty && alarm.owners == nil)
    else {
      throw ValidationError(
        "--log, --pin, --place and --owners are a bench's; say --bench, or make the account by the"
          + " API")
    }
  }

  func run() throws {
    let timeline = Timeline(isJSON: alarm.output.json, began: BootClock.now())
    try Failure.mapped {
      try alarm.output.begin()
      let termination = try Termination()
      try Terminal.printBehind()
      ServiceProcess.begin()
      try ServiceProcess.requireLimits()
      var plan = CoreService.Plan(
        folder: try state ?? StateFolder.ofService ?? StateFolder.standard("core"),
        controlPath: try control ?? Self.standardSocket(), alarm: alarm)
      plan.server = try store.map { try PostgresServer($0) }
      plan.server?.quorum = requireQuorum ?? 1
      plan.server?.address = listen.reachedAt
      plan.standby = Standby(
        listen, folder: plan.folder, until: termination.descriptor, timeline)
      let isLost = Mutex(false)
      plan.lost = {
        isLost.withLock { $0 = true }
        kill(getpid(), SIGTERM)
      }
      plan.isBench = bench
      plan.logPath = log
      plan.pin = try alarm.pin.read().map { try NewPIN($0) }
      plan.testClock = testClock.testClock
      plan.listen = listen
      plan.config = config
      let coreService: CoreService
      do {
        coreService = try CoreService(plan, timeline: timeline)
      } catch is Standby.Ended {
        return try SystemdNotifier.stopping()
      }
      try coreService.start([])
      defer { coreService.stop() }
      let watchdog = try ServiceLiveness.start { [bridge = coreService.bridge] in
        bridge.obstacleToPress(within: $0)
      }
      defer { watchdog?.stop() }
      Terminal.flush()
      try SystemdNotifier.notify(readyFD: readyFd)
      _ = termination.wait()
      try SystemdNotifier.stopping()
      guard !isLost.withLock({ $0 }) else {
        throw Failure(
          .unreachable,
          "another core has taken the store over, and decides from now on; started again, this one"
            + " stands by")
      }
    }
  }

  private static func standardSocket() throws(Failure) -> String {
    try RuntimeFolder.make()
    return RuntimeFolder.coreSocket
  }
}
