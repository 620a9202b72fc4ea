import AlertCore
import ArgumentParser
import Bridge
import Emulator
import FobBase
import Foundation
import SerialIO
import Transport

/// `fob run`: an emulated keychain, a real pty, bridge and core in one process.
struct Run: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Run an emulated keychain, a bridge and an alert core in one process.",
    discussion: """
      With a terminal: keys press the button, pull the plug and answer the alarm; ? lists them. A \
      view of the whole screen shows how the alarm, light, battery, fix and link stand, what was \
      told, and the last frames; Ctrl-C ends it, and what happened last is printed. Ctrl-Z stops \
      all of it, bridge and core too, until fg. With --plain, or where TERM is dumb, what happens \
      is printed line by line. \
      The page for a browser is at the address that is shown, and opens with the code beside it. \
      Without a terminal, --listen serves the page until a signal comes; without --listen, too, it \
      plays the demo: press, alarm, durable, light, PIN, all clear; it prints the stages of the \
      press and ends. With --scenario it plays the steps of each file, which also says what the \
      bench is, and judges them; it ends with 1 where one of them fails.
      """)

  @OptionGroup var keychain: KeychainOptions

  @Option(
    help:
      "Line between keychain and bridge, e.g. memory:bench or unix:/tmp/fob.sock. (default: a pty)",
    completion: .deviceSpec, transform: DeviceSpec.option)
  var on: DeviceSpec?

  @Option(
    help: """
      State folder. (default: $XDG_STATE_HOME/fob/run, with --set-up $XDG_STATE_HOME/fob/set-up; \
      for the demo a temporary one)
      """)
  var state: String?

  @Flag(
    help: """
      Make the account, its PIN and its contacts on the page. Messages go to the log sink, mails \
      to mails.jsonl in the state folder.
      """)
  var setUp = false

  @OptionGroup var alarm: AlarmOptions

  @OptionGroup var listen: ListenOptions

  @OptionGroup var realTime: RealTimeOptions

  @Flag(help: "Play the demo even with a terminal.")
  var demo = false

  @Flag(help: "Print lines also in a terminal, where a view of the whole screen is the default.")
  var plain = false

  @OptionGroup var testClock: TestClockOption

  @OptionGroup var judged: ScenarioOptions

  /// A scenario says its own; they are a bench's.
  private var scenarioPIN: PIN?
  private var isProtecting = false

  private enum CodingKeys: CodingKey {
    case keychain, on, state, setUp, alarm, listen, realTime, demo, plain, testClock, judged
  }

  func validate() throws {
    guard judged.files.isEmpty || !hasOptionsOfBench else {
      throw ValidationError(
        "a scenario says what its bench is: beside --scenario stand only --json, --state, --junit"
          + " and --check")
    }
    guard judged.files.count < 2 && !judged.check || state == nil else {
      throw ValidationError("--state is the folder of one scenario that is played")
    }
    guard
      !setUp
        || (!demo && judged.files.isEmpty && !alarm.pin.isGiven && alarm.place.isEmpty
          && alarm.owners == nil)
    else {
      throw ValidationError(
        "with --set-up the account is made on the page: --demo, --scenario, --pin, --place and"
          + " --owners need one that is there")
    }
    guard !plain || !demo && !alarm.output.json else {
      throw ValidationError("--plain takes the place of a view: --demo and --json have none")
    }
    try realTime.refuseLowLatency("the line of fob run")
    switch on?.kind {
    case .serial:
      throw ValidationError(
        "a serial line has a port at each end: use fob emulate --on and fob bridge --device")
    case .tty, .usb:
      throw ValidationError(
        "a USB device reaches its host through the kernel: use fob emulate --usb, fob attach and"
          + " fob bridge --device")
    case .pty, .unix, .tcp, .memory, nil: break
    }
  }

  private var hasOptionsOfBench: Bool {
    keychain.isGiven || on != nil || setUp || alarm.isGiven || listen.isGiven || realTime.isGiven
      || demo || plain || testClock.testClock != nil
  }

  func run() throws {
    try Failure.mapped {
      try alarm.output.begin()
      guard !judged.files.isEmpty else {
        return try play(nil, Timeline(isJSON: alarm.output.json, began: BootClock.now()))
      }
      let suite = ScenarioSuite(paths: judged.files, isJSON: alarm.output.json)
      guard !judged.check else { return try suite.check() }
      try suite.play(junit: judged.junit.map { try OutputFile($0) }) { scenario, report in
        var bench = try Run.parse(scenario.options)
        bench.scenarioPIN = scenario.pin
        bench.isProtecting = scenario.isProtecting
        bench.alarm.output.json = alarm.output.json
        bench.state = state
        try bench.play((scenario, report), report.timeline)
      }
    }
  }

  private func play(
    _ judged: (scenario: Scenario, report: ScenarioReport)?, _ told: Timeline
  ) throws {
    let isServed = listen.listen != nil || setUp
    let isDemo = demo || judged != nil || (!isServed && !hasKeyboard)
    try Failure.mapped {
      let termination = try Termination()
      if !hasKeyboard { ServiceProcess.begin() }
      let terminal = hasView && !isDemo ? try? ScreenTerminal() : nil
      let timeline = terminal == nil ? told : try told.kept()
      try ServiceProcess.requireLimits()
      let tuning = try realTime.apply { timeline.say("realtime", $0) }
      let pin = try (scenarioPIN ?? alarm.pin.read()).map { try NewPIN($0) } ?? .madeUp()
      try Terminal.printBehind()
      let scratch = try StateFolder.temporary()
      defer { StateFolder.remove(scratch) }
      let folder = try state ?? (isDemo ? scratch : StateFolder.standard(setUp ? "set-up" : "run"))
      try StateFolder.make(folder)
      let keychain = try startKeychain(scratch: scratch, folder: folder)
      defer { keychain.stop() }
      var plan = CoreService.Plan(
        folder: folder, controlPath: scratch + "/bridge.sock", pin: pin, alarm: alarm)
      plan.tuning = tuning
      plan.keychains = [keychain]
      plan.isToBeSetUp = setUp
      plan.isProtecting = isProtecting
      plan.testClock = testClock.testClock
      plan.keepsMail = true
      plan.listen = listen.listen == nil && !isDemo ? .standard(mayBeTaken: !setUp) : listen
      let coreService = try CoreService(plan, timeline: timeline)
      defer { coreService.stop() }
      timeline.say(
        "bench", "keychain on \(keychain.line), control \(scratch)/keychain.sock")
      let line = keychain.line
      if let judged {
        try coreService.start([line])
        let bench = try ScenarioBench(
          keychain: scratch + "/keychain.sock", bridge: scratch + "/bridge.sock",
          of: coreService)
        try ScenarioPlayer(judged.scenario, on: bench, report: judged.report).play(
          until: termination)
      } else if isDemo {
        let demo = try Demo(
          coreService: coreService, keychain: keychain, pin: pin.pin, timeline: timeline,
          holding: alarm.pressThatAlarms)
        try coreService.start([line])
        try demo.play(until: termination)
      } else if !hasKeyboard {
        try coreService.start([line])
        _ = termination.wait()
      } else {
        let view = try terminal.map { terminal in
          try RunView(
            terminal, coreService, keychain, timeline.journal!, folder: folder,
            sockets: scratch + "/{keychain,bridge}.sock")
        }
        try coreService.start([line])
        try Keyboard(
          coreService: coreService, keychain: keychain, timeline: timeline, view: view
        ).run(until: termination)
      }
    }
  }

  private var hasKeyboard: Bool { Terminal.isTerminal && !alarm.output.json }
  private var hasView: Bool { hasKeyboard && !plain && ScreenTerminal.isPossible }

  private func startKeychain(scratch: String, folder: String) throws -> EmulatedKeychain {
    let keychain = try EmulatedKeychain(
      try self.keychain.configuration(
        on: on ?? DeviceSpec(pty: scratch + "/keychain"),
        storePath: folder + "/keychain.store", controlPath: scratch + "/keychain.sock"))
    try keychain.start()
    return keychain
  }
}
