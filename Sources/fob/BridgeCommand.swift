import AlertCore
import ArgumentParser
import Bridge
import FobBase
import Glibc
import SerialIO
import Sinks
import Storage
import Transport

/// `fob bridge`: keychains that are already there or are plugged in, with the core in the same
/// process or, with `--core`, on another host.
struct BridgeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bridge",
    abstract: "Connect real or emulated keychains to an alert core.",
    discussion: """
      Without --device it serves every keychain on USB, those that are plugged in and those that \
      come, each known by its serial number. With --device it opens those lines, and waits for \
      what is not there yet. Every press is carried to its end.

      Bench account: Owner, Contact 1, Contact 2; the PIN is printed when it is first set. \
      Messages go to the log sink, one line of JSON each, and for bench keychains only.

      With --core the core is on another host (fob core) and decides: this process relays what the \
      keychains say, the core's acks, and what is to be shown. It keeps nothing; what the core has \
      not committed stays on the keychains.
      """)

  @Option(
    parsing: .upToNextOption,
    help: """
      Lines of keychains, one or many: tty:VID:PID[:SERIAL], usb:VID:PID[:SERIAL], pty:PATH, \
      unix:PATH, tcp:HOST:PORT or \
      serial:PATH?baud=N&flow=none|rtscts&dtr=keep|on|off|pulse&rts=keep|on|off. May be repeated. \
      (default: every keychain on USB)
      """,
    completion: .deviceSpec, transform: DeviceSpec.option)
  var device: [DeviceSpec] = []

  @Option(
    parsing: .upToNextOption,
    help: """
      USB ids of further keychains, beside those that the udev rule or their product string names, \
      e.g. 1209:0002. May be repeated. With --device, keychains on USB are served as well.
      """,
    transform: USBAddress.option)
  var match: [USBAddress] = []

  @Option(help: "State folder. (default: $XDG_STATE_HOME/fob/bridge)", completion: .directory)
  var state: String?

  @Option(help: "Control socket. (default: bridge.sock in the runtime folder)")
  var control: String?

  @Option(help: "File of the log sink. (default: alerts.jsonl in the state folder)")
  var log: String?

  @OptionGroup var alarm: AlarmOptions
  @OptionGroup var testClock: TestClockOption
  @OptionGroup var listen: ListenOptions
  @OptionGroup var remote: RemoteCoreOptions
  @OptionGroup var realTime: RealTimeOptions

  @Option(help: "Write \"ready\" to this file descriptor when the devices are being opened.")
  var readyFd: Int32?

  func validate() throws {
    guard device.count <= Limits.devices else {
      throw ValidationError("--device takes up to \(Limits.devices) devices")
    }
    guard Set(device).count == device.count else {
      throw ValidationError("--device names the same device twice")
    }
    if !device.isEmpty, match.isEmpty, !device.contains(where: \.mayBeSerialPort) {
      try realTime.refuseLowLatency("none of these devices")
    }
    guard !remote.core.isEmpty else { return }
    guard state == nil, control == nil, log == nil, testClock.testClock == nil,
      listen.listen == nil, !alarm.isGiven
    else {
      throw ValidationError(
        "with --core the core decides, on its host: --state, --control, --log, --test-clock,"
          + " --listen and what is said of the alarm go to fob core")
    }
  }

  func run() throws {
    let timeline = Timeline(isJSON: alarm.output.json, began: BootClock.now())
    try Failure.mapped {
      try alarm.output.begin()
      let termination = try Termination()
      try Terminal.printBehind()
      let tuning = try realTime.apply { timeline.say("realtime", $0) }
      ServiceProcess.begin()
      try ServiceProcess.requireLimits()
      let cores = try remote.clients()
      if !cores.isEmpty { return try relay(to: cores, tuning, until: termination, timeline) }
      var plan = CoreService.Plan(
        folder: try state ?? StateFolder.ofService ?? StateFolder.standard("bridge"),
        controlPath: try control ?? Self.standardSocket(), alarm: alarm)
      plan.logPath = log
      plan.pin = try alarm.pin.read().map { try NewPIN($0) }
      plan.testClock = testClock.testClock
      plan.listen = listen
      plan.tuning = tuning
      let coreService = try CoreService(plan, timeline: timeline)
      try coreService.start(device)
      defer { coreService.stop() }
      if let wanted = wanted(timeline) { try coreService.bridge.find(wanted) }
      let watchdog = try ServiceLiveness.start { [bridge = coreService.bridge] in
        bridge.obstacleToPress(within: $0)
      }
      defer { watchdog?.stop() }
      Terminal.flush()
      try SystemdNotifier.notify(readyFD: readyFd)
      _ = termination.wait()
      try SystemdNotifier.stopping()
    }
  }

  private func relay(
    to cores: [RemoteCore], _ tuning: LineTuning, until termination: borrowing Termination,
    _ timeline: Timeline
  ) throws {
    let bridge = try RemoteBridge(to: cores, tuning: tuning) { timeline.show($0) }
    let places = cores.map(\.address.url).joined(separator: " or ")
    timeline.say("bridge", "the core is at \(places)")
    try bridge.start(device)
    defer { bridge.stop() }
    if let wanted = wanted(timeline) { try bridge.find(wanted) }
    let watchdog = try ServiceLiveness.start { bridge.obstacleToPress(within: $0) }
    defer { watchdog?.stop() }
    Terminal.flush()
    try SystemdNotifier.notify(readyFD: readyFd)
    _ = termination.wait()
    try SystemdNotifier.stopping()
  }

  /// What is looked for on USB; nil: nothing but the devices that were named.
  private func wanted(_ timeline: Timeline) -> KeychainMatch? {
    guard device.isEmpty || !match.isEmpty else { return nil }
    timeline.say("bridge", "every keychain on USB is served, now and whenever one is plugged in")
    let wanted = KeychainMatch(ids: match)
    if device.isEmpty { Self.guide(to: wanted) }
    return wanted
  }

  /// What to do next, where nothing is plugged in.
  private static func guide(to wanted: KeychainMatch) {
    let plugged = (try? HotplugMonitor.devices(.device) + HotplugMonitor.devices(.port)) ?? []
    guard !plugged.contains(where: wanted.takes) else { return }
    Terminal.error(
      "fob: no keychain is plugged in yet. fob devices lists what is there. Without hardware: fob"
        + " emulate --link ./keychain, and here fob bridge --device ./keychain;"
        + " docs/tutorials/first-alarm.md goes through it.")
  }

  private static func standardSocket() throws(Failure) -> String {
    try RuntimeFolder.make()
    return RuntimeFolder.bridgeSocket
  }
}

extension DeviceSpec {
  fileprivate var mayBeSerialPort: Bool {
    switch kind {
    case .serial, .tty: true
    case .pty, .usb, .unix, .tcp, .memory: false
    }
  }
}

/// Where the core is, for `fob bridge`, if not in its own process.
struct RemoteCoreOptions: ParsableArguments {
  @Option(
    help: """
      Address of a core on another host, https://HOST:PORT. Repeated for cores of which one leads: \
      each is tried in turn, and the one that serves is kept. (default: the core in this process)
      """)
  var core: [String] = []

  @Option(
    help: """
      With --core: a token with scope `feed`; file mode 0600, or the name of a systemd credential.
      """)
  var tokenFile: String?

  @Option(
    help: "With --core: PEM file of trusted CA certificates. (default: the system's)")
  var ca: String?

  @Flag(help: "With --core: allow http to another host; the token goes in clear text.")
  var insecure = false

  func validate() throws {
    guard !core.isEmpty || (tokenFile == nil && ca == nil && !insecure) else {
      throw ValidationError("--token-file, --ca and --insecure say nothing without --core")
    }
    guard core.isEmpty || tokenFile != nil else {
      throw ValidationError(
        "--core needs --token-file FILE; make a token on the core's host with"
          + " fob token create --scope feed")
    }
    guard Set(try addresses().map(\.url)).count == core.count else {
      throw ValidationError("--core names the same core twice")
    }
  }

  private func addresses() throws -> [RemoteCoreAddress] {
    do {
      return try core.map { try RemoteCoreAddress($0, caFile: ca, allowsPlain: insecure) }
    } catch {
      throw ValidationError("\(error)")
    }
  }

  /// Empty: the core is in this process.
  func clients() throws -> [RemoteCore] {
    guard let tokenFile else { return [] }
    let token = try Self.token(in: tokenFile)
    do {
      return try addresses().map { try RemoteCore($0, token: token) }
    } catch {
      throw Failure(.cannotOpen, "\(error)")
    }
  }

  private static func token(in path: String) throws(Failure) -> String {
    let text: String?
    do {
      text = try SecretFile.read(path).text
    } catch {
      throw Failure(
        .cannotOpen, error.errno == ENOENT ? "\(error); it is made by fob token create" : "\(error)"
      )
    }
    let token = text?.split(whereSeparator: \.isWhitespace).first.map(String.init) ?? ""
    guard (1...512).contains(token.utf8.count), token.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
    else { throw Failure(.cannotOpen, "\(path) has no token in its first line") }
    return token
  }
}
