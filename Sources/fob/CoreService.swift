import AlertCore
import Bridge
import Console
import Emulator
import Glibc
import SerialIO
import Sinks
import Storage
import Transport

/// A core with its store, notification channels and control socket: what `run`, `bridge` and `core`
/// share.
final class CoreService: Sendable {
  /// What a core service is made of.
  struct Plan {
    let folder: String
    let controlPath: String
    /// The log sink's file; nil: alerts.jsonl in the folder.
    var logPath: String?
    /// Sets this PIN; nil keeps the one that is set.
    var pin: NewPIN?
    let alarm: AlarmOptions
    /// The bench's account and its log sink; without it the account is what the API has made.
    var isBench = true
    /// Of a bench, too, the account is what the page has made.
    var isToBeSetUp = false
    /// The account's mails stay in the folder.
    var keepsMail = false
    /// A file with the notification channels; nil: none but the bench's.
    var config: String?
    /// The socket of a test that moves the time.
    var testClock: String?
    /// The HTTP API; nil: none.
    var listen: ListenOptions?
    /// Those of this process, which the bench moves.
    var keychains: [EmulatedKeychain] = []
    /// Messages are not shown in the timeline, nor what happens.
    var isQuiet = false
    /// What is asked of the system for the keychains' lines.
    var tuning = LineTuning.standard
  }

  let bridge: AlertBridge
  private let control: BridgeControl
  private let watchers: Watchers
  private let records: Records
  private let testClock: TestClock?
  private let apiServer: APIServer?
  /// Nil where no API is served.
  private let workbench: ProcessBench?

  init(_ plan: Plan, timeline: Timeline) throws {
    testClock = try plan.testClock.map { try TestClock(path: $0) }
    try StateFolder.make(plan.folder)
    let store = try AlertStore(directory: plan.folder)
    var sinks = try plan.config.map { try NotificationChannels.read($0) } ?? []
    let mail =
      plan.keepsMail
      ? try BenchMail.keep(in: plan.folder, timeline) : NotificationChannels.mail(by: sinks)
    var (account, newPIN): (Account, NewPIN?)
    if plan.isBench, !plan.isToBeSetUp {
      (account, newPIN) = try BenchAccount.open(
        store, pin: plan.pin, places: plan.alarm.place.map(\.place))
    } else {
      (account, newPIN) = (try store.account() ?? .none, nil)
    }
    if plan.isBench {
      let logPath = plan.logPath ?? plan.folder + "/alerts.jsonl"
      let log = try LogSink(path: logPath)
      sinks.append(plan.isQuiet ? log : ShownSink(sink: log, timeline: timeline))
      timeline.say("bench", "state in \(plan.folder), messages in \(logPath)")
    } else {
      timeline.say("core", "state in \(plan.folder)")
    }
    let watchers = Watchers()
    self.watchers = watchers
    let records = Records(store)
    self.records = records
    try records.tellDamage(to: account, mail)
    watchers.add { records.tell($0) }
    if !plan.isQuiet { watchers.add { timeline.show($0) } }
    var console = try plan.listen?.configuration(folder: plan.folder)
    console?.mail = mail
    console?.mailsLeadBack = plan.keepsMail
    console?.notice = { timeline.say("api", $0, .bad) }
    bridge = try AlertBridge(
      account: account, policy: plan.alarm.policy, store: store, sinks: sinks,
      mail: mail, acknowledgeURL: console?.acknowledgeURL,
      clock: testClock?.clock ?? HostClock(), tuning: plan.tuning
    ) {
      watchers.tell($0)
    }
    if testClock != nil, let obstacle = bridge.testObstacle {
      throw Failure(.usage, "--test-clock is for tests alone: \(obstacle)")
    }
    let control = try BridgeControl(path: plan.controlPath, bridge: bridge, store: store)
    self.control = control
    watchers.add { control.tell($0) }
    timeline.say("bench", "control socket \(plan.controlPath)")
    let workbench = try console.map { [bridge] _ in try ProcessBench(bridge, plan.keychains) }
    self.workbench = workbench
    console?.workbench = workbench
    if let workbench { watchers.add { workbench.tell($0) } }
    apiServer = try Self.apiServer(plan, console, bridge, store, timeline)
    if let warning = plan.alarm.warning { timeline.say("bench", warning, .bad) }
    if let newPIN {
      // One that was given may be a secret, and this goes into logs.
      let words = newPIN.isMadeUp ? "the PIN is \(newPIN.pin)" : "the PIN is set, as given"
      timeline.say("bench", words, .strong)
    }
    if let incident = bridge.status.incident, incident.state.isOpen {
      timeline.say(
        "alarm", "an alarm of an earlier run is still open: \(incident.state.rawValue)", .bad)
    }
  }

  private static func apiServer(
    _ plan: Plan, _ console: ConsoleConfiguration?, _ bridge: AlertBridge, _ store: AlertStore,
    _ timeline: Timeline
  ) throws -> APIServer? {
    guard let console else { return nil }
    do {
      let apiServer = try APIServer(console, bridge: bridge, store: store)
      timeline.tell("listening", apiServer.url, "the API is at \(apiServer.url)")
      for trouble in apiServer.troubles { timeline.warn("api", trouble) }
      for damage in apiServer.damages { timeline.say("api", damage, .bad) }
      if let path = apiServer.firstToken {
        timeline.say("api", "the administrator's token is in \(path)")
      }
      timeline.say(
        "page", "the page is at \(apiServer.url)/, its one-time code: \(apiServer.code.text)",
        .strong)
      return apiServer
    } catch let failure as Failure where plan.listen?.isForAnybody == true {
      timeline.say("api", "not served: \(failure.text)")
      return nil
    }
  }

  /// - Parameter watcher: called in order on the bridge's event thread; it must not wait.
  func watch(_ watcher: @escaping @Sendable (BridgeEvent) -> Void) { watchers.add(watcher) }

  func start(_ devices: [DeviceSpec]) throws(IOFailure) {
    try bridge.start(devices)
    records.start()
    try testClock?.follow(bridge) { words in
      Terminal.error("fob: \(words)")
      _exit(ExitStatus.unreachable.rawValue)
    }
  }

  func stop() {
    apiServer?.stop()
    workbench?.stop()
    bridge.stop()
    // A mailer that hangs: its message goes out again at the next start.
    ChildProgram.killAll()
    control.stop()
    records.stop()
  }
}
