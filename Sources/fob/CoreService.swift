import AlertCore
import Bridge
import Console
import Emulator
import FobBase
import Foundation
import Glibc
import SerialIO
import Sinks
import Storage
import Transport
import Yams

/// A core with its store, notification channels and control socket: what `run`, `bridge` and `core`
/// share.
final class CoreService: Sendable {
  /// What a core service is made of.
  struct Plan {
    let folder: String
    /// Keeps the state; nil: SQLite in the folder does.
    var server: PostgresServer?
    /// Waits while another core has the state at `server`; nil: that is an error.
    var standby: Standby?
    /// Called on a thread of the store's once another core has it.
    var lost: @Sendable () -> Void = {}
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
    /// The bench's account protects, and has what that needs.
    var isProtecting = false
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

  /// The first account.
  let bridge: AlertBridge
  /// The keychain of this process, by its id; nil: it has none.
  let keychain: String?
  let owners: BenchOwners?
  private let note: ControlNote
  private let control: BridgeControl
  private let watchers: Watchers
  private let records: Records
  private let testClock: TestClock?
  let apiServer: APIServer?
  /// Why none is served, where one was to be.
  let pageObstacle: String?
  /// What a person may read of the PIN that was set at the start, as in "is 4711"; nil: none was.
  let pin: String?
  /// Nil where no API is served.
  private let workbench: ProcessBench?
  private let publishers: StatePublishers
  private let supervisions: ReceiverSupervisions

  init(_ plan: Plan, timeline: Timeline) throws {
    testClock = try plan.testClock.map { try TestClock(path: $0) }
    keychain = plan.keychains.first?.configuration.deviceID.text
    owners = plan.alarm.owners
    try StateFolder.make(plan.folder)
    var (sinks, countries) = try plan.config.map { try NotificationChannels.read($0) } ?? ([], [])
    let store = try Self.store(plan, timeline)
    let mail =
      plan.keepsMail
      ? try BenchMail.keep(in: plan.folder, timeline) : NotificationChannels.mail(by: sinks)
    var (account, newPIN): (Account, NewPIN?)
    if plan.isBench, !plan.isToBeSetUp {
      (account, newPIN) = try BenchAccount.open(store, for: plan)
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
    watchers.add { records.tell($0) }
    let ownerMail = OwnerMail(mail, answersByClick: plan.alarm.profile == .guarded)
    try ownerMail.tellDamage(of: store, to: account)
    if !plan.isQuiet { watchers.add { timeline.show($0) } }
    var console = try plan.listen?.configuration(folder: plan.folder)
    console?.mail = mail
    console?.mailsLeadBack = plan.keepsMail
    console?.notice = { timeline.say("api", $0, .bad) }
    var policy = plan.alarm.policy
    policy.isBench = plan.isBench
    policy.canMail = mail != nil
    policy.servedCountries = countries
    bridge = try AlertBridge(
      account: account, policy: policy, store: store, sinks: sinks,
      mail: mail, acknowledgeURL: console?.acknowledgeURL,
      clock: testClock?.clock ?? HostClock(), tuning: plan.tuning
    ) {
      watchers.tell($0)
    }
    try bridge.serveAccounts()
    Self.serveOwners(of: bridge, plan, watchers, ownerMail, timeline)
    if testClock != nil, let obstacle = bridge.testObstacle {
      throw Failure(.usage, "--test-clock is for tests alone: \(obstacle)")
    }
    let control = try BridgeControl(path: plan.controlPath, bridge: bridge)
    self.control = control
    watchers.add { control.tell($0) }
    timeline.say("bench", "control socket \(plan.controlPath)")
    let workbench = try console.map { [bridge] _ in try ProcessBench(bridge, plan.keychains) }
    self.workbench = workbench
    console?.workbench = workbench
    if let workbench { watchers.add { workbench.tell($0) } }
    publishers = try StatePublishers(plan.isBench, to: sinks, of: bridge, watchers, timeline)
    supervisions = try ReceiverSupervisions(plan.isBench, of: sinks, timeline)
    note = ControlNote(plan.controlPath, in: plan.folder)
    (apiServer, pageObstacle) = try Self.apiServer(plan, console, control, bridge, store, timeline)
    // One that was given may be a secret, and this goes into logs.
    pin = newPIN.map { $0.isMadeUp ? "is \($0.pin)" : "is set, as given" }
    if let pin { timeline.say("bench", "the PIN \(pin)", .strong) }
    sayOpenAlarms(timeline)
  }

  /// This core may have to stand by for it: what can be wrong is read before.
  private static func store(_ plan: Plan, _ timeline: Timeline) throws -> AlertStore {
    guard let server = plan.server else { return try AlertStore(directory: plan.folder) }
    timeline.say("core", "rows in \(server.url)")
    let standsBy = plan.standby.map { standby in { try standby.wait($0) } as AlertStore.StandsBy }
    defer { plan.standby?.end() }
    let store = try AlertStore(
      on: server, directory: plan.folder, standsBy: standsBy,
      told: { timeline.say("core", $0) }, lost: plan.lost)
    plan.standby?.lead()
    return store
  }

  /// Ends all at once, and waits for three seconds at most.
  private static func stop(_ stops: [@Sendable () -> Void]) {
    let deadline = BootClock.now() + .seconds(3)
    let threads = stops.map { stop in try? BlockingThread(name: "stop") { stop() } }
    for thread in threads { _ = thread?.join(within: deadline - BootClock.now()) }
  }

  private static func serveOwners(
    of bridge: AlertBridge, _ plan: Plan, _ watchers: Watchers, _ ownerMail: OwnerMail,
    _ timeline: Timeline
  ) {
    if plan.alarm.owners == .each {
      let owners = KeychainOwnerMaker(of: bridge, timeline)
      bridge.beforeLink { owners.make(of: $0, waits: true) }
      // Of bridges on other hosts nobody says so before.
      watchers.add { owners.make(after: $0) }
    }
    watchers.add { event in
      guard let (event, whose) = bridge.ofOwner(event) else { return }
      ownerMail.tell(event, to: whose.account, of: whose.checkIns, by: whose.reminderSettings)
    }
    // R57: no position leaves where the account does not allow that they are used.
    watchers.hide { event in
      guard case .located(let device, _) = event else { return false }
      return !bridge.account(withKeychain: device).account.mayLocate
    }
  }

  private static func apiServer(
    _ plan: Plan, _ console: ConsoleConfiguration?, _ control: BridgeControl, _ bridge: AlertBridge,
    _ store: AlertStore, _ timeline: Timeline
  ) throws -> (server: APIServer?, obstacle: String?) {
    guard let console else { return (nil, nil) }
    do {
      let apiServer = try APIServer(
        console, control, bridge: bridge, store: store, after: plan.standby?.server)
      timeline.tell("listening", apiServer.url, "the API is at \(apiServer.url)")
      for trouble in apiServer.troubles { timeline.warn("api", trouble) }
      for damage in apiServer.damages { timeline.say("api", damage, .bad) }
      if let path = apiServer.firstToken {
        timeline.say("api", "the administrator's token is in \(path)")
      }
      timeline.show(BridgeControl.PageCode(url: apiServer.url, code: apiServer.code.text))
      return (apiServer, nil)
    } catch let failure as Failure where plan.listen?.isForAnybody == true {
      timeline.say("api", "not served: \(failure.text)")
      return (nil, failure.text)
    }
  }

  /// - Parameter watcher: called in order on the bridge's event thread; it must not wait.
  func watch(_ watcher: @escaping @Sendable (BridgeEvent) -> Void) { watchers.add(watcher) }

  func start(_ devices: [DeviceSpec]) throws(IOFailure) {
    try bridge.start(devices)
    records.start()
    try publishers.start()
    try supervisions.start()
    try testClock?.follow(bridge) { words in
      TerminalRescue.restore()
      Terminal.divert(nil)
      Terminal.error("fob: \(words)")
      Terminal.flush()
      _exit(ExitStatus.unreachable.rawValue)
    }
  }

  func stop() {
    note.remove()
    apiServer?.stop()
    workbench?.stop()
    Self.stop(publishers.stops + supervisions.stops)
    bridge.stop()
    // A mailer that hangs: its message goes out again at the next start.
    ChildProgram.killAll()
    control.stop()
    records.stop()
    bridge.store.release()
  }
}

/// Shows each message in the timeline once the sink behind it has taken it.
struct ShownSink: Sink {
  let sink: any Sink
  let timeline: Timeline

  var name: String { sink.name }
  var isTest: Bool { sink.isTest }

  func deliver(_ message: OutgoingMessage) throws(SinkFailure) {
    try sink.deliver(message)
    timeline.show(message)
  }
}

/// The post of a bench that is one process: nothing of it leaves this host.
enum BenchMail {
  /// - Returns: what puts each mail into mails.jsonl of the folder, and says so.
  static func keep(in folder: String, _ timeline: Timeline) throws -> AlertBridge.Mail {
    let path = folder + "/mails.jsonl"
    let file = try MailFile(path: path)
    return { to, subject, body, key in
      try file.mail(to: to, subject: subject, body: body, key: key)
      timeline.say("mail", "a mail to \(MaskedEmail.of(to)): \(path)")
    }
  }
}

/// The notification channels and the countries of a configuration file.
enum NotificationChannels {
  /// - Throws: `Failure` that names the file and the field that cannot be used.
  static func read(_ place: String) throws(Failure) -> (sinks: [any Sink], countries: [String]) {
    let path = SecretFile.path(of: place)
    let (text, isPrivate) = try TextFile.readTelling(path)
    do {
      let configuration = try YAMLDecoder().decode(SinkConfiguration.self, from: text)
      if !isPrivate,
        let index = configuration.sinks.firstIndex(where: { $0.secret != nil && !$0.test })
      {
        throw ConfigurationFailure(
          "sinks[\(index)].secret",
          "can be read by others: chmod 600 \(path), or give `secretFile`")
      }
      return (try configuration.make(), configuration.countries)
    } catch let failure as ConfigurationFailure {
      throw Failure(.usage, "\(path): \(failure)")
    } catch let DecodingError.dataCorrupted(context)
      where context.underlyingError is ConfigurationFailure
    {
      throw Failure(.usage, "\(path): \(context.underlyingError!)")
    } catch {
      throw Failure(
        .usage, "\(path) is no configuration of notification channels: write `sinks:` and a list")
    }
  }

  /// What the account itself is written by; nil where no sink can.
  static func mail(by sinks: [any Sink]) -> AlertBridge.Mail? {
    guard let mailer = sinks.lazy.compactMap({ $0 as? any Mailer }).first else { return nil }
    return { try mailer.mail(to: $0, subject: $1, body: $2, key: $3) }
  }
}

/// The HTTP API of a core service: its server, and the feed server where bridges on other hosts
/// feed the core.
final class APIServer: Sendable {
  private let server: ConsoleServer
  private let feedServer: FeedServer
  let code: OneTimeCode
  /// As in http://127.0.0.1:8787
  let url: String
  /// The file with the first administrator's token, where it was written now.
  let firstToken: String?
  /// What keeps others from reaching it, in words with a hint.
  let troubles: [String]
  /// What was found damaged of what lets people in, and what follows.
  let damages: [String]

  /// Listens from now on.
  /// - Parameters:
  ///   - control: gives fresh codes for its page.
  ///   - standby: listens there already.
  init(
    _ configuration: ConsoleConfiguration, _ control: BridgeControl, bridge: AlertBridge,
    store: AlertStore, after standby: StandbyServer?
  ) throws {
    if standby == nil { try Self.requireFree(configuration.address) }
    var configuration = configuration
    let code = OneTimeCode(at: BootClock.now())
    self.code = code
    configuration.code = code
    feedServer = try FeedServer(bridge)
    configuration.feed = feedServer
    configuration.accounts = LiveAccounts(of: bridge)
    let opened = try configuration.tokens.open()
    firstToken = opened.firstToken
    damages = [opened.damage, configuration.links.damage].compactMap(\.self)
    server = try ConsoleServer(
      configuration, core: LiveCore(bridge: bridge, store: store), after: standby)
    let address = configuration.address
    let scheme = configuration.tls == nil ? "http" : "https"
    let host = address.host.contains(":") ? "[\(address.host)]" : address.host
    var url = ""
    do {
      try control.serve { [server] in
        url = "\(scheme)://\(host):\(try APIServer.wait { try await server.start() })"
        return { [url] in
          BridgeControl.PageCode(url: url, code: code.renew(at: BootClock.now()))
        }
      }
      troubles = try Self.wait { [server] in await server.troubles() }
    } catch {
      feedServer.stop()
      try? Self.wait { [server] in await server.stop() }
      throw Failure(
        .cannotOpen, "cannot listen at \(address); choose another --listen")
    }
    self.url = url
  }

  /// Asks the system before the server does: its words are a person's, the server's are not.
  static func requireFree(_ address: ListenAddress) throws(Failure) {
    do throws(IOFailure) {
      _ = try TCPListener(host: address.host, port: UInt16(address.port))
    } catch {
      throw Failure(.cannotOpen, "\(error); choose another --listen")
    }
  }

  /// Before the bridge's end.
  func stop() {
    feedServer.stop()
    try? Self.wait { [server] in await server.stop() }
  }

  /// For threads outside Swift's concurrency, which may block.
  static func wait<Value: Sendable>(
    _ work: @escaping @Sendable () async throws -> Value
  ) throws -> Value {
    let gate = try OneShot<Result<Value, any Error>>()
    Task.detached {
      do {
        gate.open(with: .success(try await work()))
      } catch {
        gate.open(with: .failure(error))
      }
    }
    // Swift's pool waits for ever where the system gives it no thread.
    guard let result = try gate.pass(until: BootClock.now() + .seconds(30)) else {
      throw IOFailure("start or stop", errno: ETIMEDOUT, path: "the HTTP API within 30 s")
    }
    return try result.get()
  }
}
