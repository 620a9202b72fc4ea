import ArgumentParser
import Control
import FobBase
import SerialIO

/// What may be asked of a keychain.
protocol KeychainRequest: CtlRequest {
  var keychain: CtlKeychain { get }
}

extension KeychainRequest {
  var connection: CtlConnection { keychain.connection }

  func question() throws -> ControlQuestion {
    ControlQuestion(Self.request, try fields.merging(keychain.fields) { field, _ in field })
  }
}

/// Which keychain is asked, where one process has many, and by which socket.
struct CtlKeychain: ParsableArguments {
  @Option(
    help: "The serial number of one keychain of many, as 31 or 0x1f.", transform: SerialNumber.read)
  var serial: UInt32?

  @Flag(help: "All keychains of many.")
  var all = false

  @OptionGroup var connection: CtlConnection

  var fields: [String: Any?] { ["serial": serial, "all": all ? true : nil] }
}

extension Ctl {
  struct Press: KeychainRequest {
    static let configuration = CommandConfiguration(
      abstract: "Presses the button and lets it go; answers with the event once it is stored.")

    @Option(help: "Milliseconds that it is held, 1 to 600000. (default: 120)")
    var holdMs: Int?

    @OptionGroup var keychain: CtlKeychain

    var fields: [String: Any?] { ["hold_ms": holdMs] }
  }

  struct Hold: KeychainRequest {
    static let configuration = CommandConfiguration(abstract: "Closes the button.")

    @OptionGroup var keychain: CtlKeychain
  }

  struct Release: KeychainRequest {
    static let configuration = CommandConfiguration(abstract: "Opens the button.")

    @OptionGroup var keychain: CtlKeychain
  }

  struct PressEvery: KeychainRequest {
    static let configuration = CommandConfiguration(
      commandName: "press_every", abstract: "Presses at random.")

    @Option(help: "Milliseconds between presses in the mean, 0 to 86400000; 0: no more presses.")
    var ms: Int

    @Option(help: "Seed of the chance, from 0. (default: 1)")
    var seed: Int?

    @OptionGroup var keychain: CtlKeychain

    var fields: [String: Any?] { ["ms": ms, "seed": seed] }
  }

  struct Button: KeychainRequest {
    static let configuration = CommandConfiguration(
      abstract: "Wears the button out: a held contact opens for moments.")

    @Option(defaultAsFlag: true, help: "Whether it does, true or false.")
    var chatter: Bool?

    @Option(help: "Seed of the chance, from 0.")
    var seed: Int?

    @OptionGroup var keychain: CtlKeychain

    var fields: [String: Any?] { ["chatter": chatter, "seed": seed] }
  }

  struct Stick: KeychainRequest {
    static let configuration = CommandConfiguration(
      abstract: "Sticks the contact: it stays closed, whatever the finger does.")

    @OptionGroup var keychain: CtlKeychain
  }

  struct Unstick: KeychainRequest {
    static let configuration = CommandConfiguration(abstract: "Lets the contact open again.")

    @OptionGroup var keychain: CtlKeychain
  }

  struct Battery: KeychainRequest {
    static let configuration = CommandConfiguration(
      abstract: "Sets the battery's charge or voltage, and how fast it drains.")

    @Option(help: "The charge in per cent, 0 to 100.")
    var percent: Int?

    @Option(help: "The voltage in millivolts, 0 to 65535, in place of --percent.")
    var mv: Int?

    @Option(help: "Per cent lost in an hour, 0 to 360000.")
    var drainPerHour: Int?

    @Option(
      help: """
        Inner resistance of the empty cell in ohms, 0 to 100: below 20 per cent the gauge then \
        reads less under load. (default: 0, it reads the charge)
        """)
    var ohms: Int?

    @OptionGroup var keychain: CtlKeychain

    var fields: [String: Any?] {
      ["percent": percent, "mv": mv, "drain_per_hour": drainPerHour, "ohms": ohms]
    }
  }

  struct Sag: KeychainRequest {
    static let configuration = CommandConfiguration(
      abstract: "Lets the voltage fall for a while: a brown-out.")

    @Option(help: "By how many millivolts it falls, 1 to 65535.")
    var mv: Int

    @Option(help: "For how many milliseconds, 1 to 600000.")
    var ms: Int

    @OptionGroup var keychain: CtlKeychain

    var fields: [String: Any?] { ["mv": mv, "ms": ms] }
  }

  struct Clock: KeychainRequest {
    static let configuration = CommandConfiguration(
      abstract: "Makes the board's clock gain, lose or jump.")

    @Option(
      parsing: .unconditional,
      help: "What it gains, in millionths, -10000 to 10000; 0: it is right.")
    var driftPpm: Int?

    @Option(
      parsing: .unconditional,
      help: "Microseconds that it jumps, up to an hour either way, in place of --drift-ppm.")
    var jumpUs: Int?

    @OptionGroup var keychain: CtlKeychain

    var fields: [String: Any?] { ["drift_ppm": driftPpm, "jump_us": jumpUs] }
  }

  struct GPS: KeychainRequest {
    static let configuration = CommandConfiguration(
      commandName: "gps", abstract: "Says what the GPS receiver hears.")

    @Option(
      help: """
        A file of NMEA, none, at:LAT,LON, track:LAT,LON[,SPEED[,COURSE[,TURN]]] in m/s, degrees \
        and degrees a second, track:LAT,LON;LAT,LON[,SPEED], pipe:PATH, or story: with coldStart, \
        tunnel, weak, rollover or silence.
        """)
    var source: String?

    @Option(defaultAsFlag: true, help: "Whether a file or story begins again at its end.")
    var loop: Bool?

    @Option(help: "The story's clock in seconds, 0 to 86400; alone it moves that of a running one.")
    var atS: Int?

    @OptionGroup var keychain: CtlKeychain

    var fields: [String: Any?] { ["source": source, "loop": loop, "at_s": atS] }
  }

  struct Unplug: KeychainRequest {
    static let configuration = CommandConfiguration(abstract: "Pulls the plug.")

    @OptionGroup var keychain: CtlKeychain
  }

  struct Replug: KeychainRequest {
    static let configuration = CommandConfiguration(abstract: "Pushes the plug in.")

    @OptionGroup var keychain: CtlKeychain
  }

  struct Reset: KeychainRequest {
    static let configuration = CommandConfiguration(
      abstract: "Resets the board; starts a board in QEMU that has died.")

    @OptionGroup var keychain: CtlKeychain
  }

  struct Powercut: KeychainRequest {
    static let configuration = CommandConfiguration(abstract: "Cuts the board's power.")

    @Option(help: "For how many milliseconds, 1 to 600000.")
    var ms: Int = 1_000

    @OptionGroup var keychain: CtlKeychain

    var fields: [String: Any?] { ["ms": ms] }
  }

  struct Store: KeychainRequest {
    static let configuration = CommandConfiguration(
      abstract: "Lets the board's memory refuse what is written.")

    @Option(defaultAsFlag: true, help: "Whether it does, true or false.")
    var fail: Bool?

    @OptionGroup var keychain: CtlKeychain

    var fields: [String: Any?] { ["fail": fail] }
  }

  struct Fault: KeychainRequest {
    enum Kind: String, ExpressibleByArgument, CaseIterable {
      case drop, flip, double, insert, split, stall, none
    }

    enum Direction: String, ExpressibleByArgument, CaseIterable { case host, device, both }

    static let configuration = CommandConfiguration(
      abstract: "Puts a fault on the line, or mends it.",
      discussion: "Without --rate and --at it hits the next byte.")

    @Option(help: "What happens to the bytes it hits; none ends all faults.")
    var kind: Kind

    @Option(help: "Which bytes: those to the host, to the device, or both. (default: both)")
    var to: Direction?

    @Option(help: "The share of bytes that it hits, 0 to 1.")
    var rate: Double?

    @Option(help: "The first byte that it hits, from now on, 0 to 1000000000.")
    var at: Int?

    @Option(help: "How many bytes it hits from there, 1 to 1000000000. (default: 1)")
    var count: Int?

    @Option(help: "Seed of the chance, from 0.")
    var seed: Int?

    @Option(help: "Milliseconds that split and stall take, 1 to 600000.")
    var ms: Int?

    @Option(help: "What insert inserts, 0 to 255.")
    var byte: Int?

    @Option(help: "Which bit flip turns over, 0 to 7.")
    var bit: Int?

    @OptionGroup var keychain: CtlKeychain

    var fields: [String: Any?] {
      [
        "kind": kind.rawValue, "to": to?.rawValue, "rate": rate, "at": at, "count": count,
        "seed": seed, "ms": ms, "byte": byte, "bit": bit,
      ]
    }

    func validate() throws {
      // JSON has no such number.
      guard rate?.isFinite != false else { throw ValidationError("--rate takes 0 to 1") }
    }
  }

  struct State: KeychainRequest {
    static let configuration = CommandConfiguration(abstract: "Shows the keychain as it stands.")

    @OptionGroup var keychain: CtlKeychain
  }

  struct Wait: KeychainRequest {
    enum Goal: String, ExpressibleByArgument, CaseIterable { case ready, linked, acked }

    static let configuration = CommandConfiguration(
      abstract: "Waits until the keychain is ready or linked, or an event acknowledged.",
      discussion: "It waits --timeout seconds, 600 at most, for the control socket, too.")
    static let awaitsSocket = true

    @Argument(
      help: "What has to be so: the board has booted, a host has linked, --event is acknowledged.")
    var goal: Goal

    @Option(help: "The event that has to be acknowledged, as press answers: 1.2.")
    var event: String?

    @OptionGroup var keychain: CtlKeychain

    var fields: [String: Any?] {
      [
        "for": goal.rawValue, "event": event,
        "within_ms": min(600_000, max(1, Int(connection.patience * 1_000))),
      ]
    }
  }

  struct Watch: KeychainRequest {
    static let configuration = CommandConfiguration(
      abstract: "Streams what happens at the keychain, and its state whenever that has changed.",
      discussion: """
        The first line says that it watches, the second is the state, as fob ctl state shows it. \
        Then each event is a line, and behind it the state where the event has changed it.
        """)
    static let request = "subscribe"
    static let isStream = true

    @Option(defaultAsFlag: true, help: "Whether each change of the light is told, too.")
    var leds: Bool?

    @OptionGroup var keychain: CtlKeychain

    var fields: [String: Any?] { ["leds": leds] }

    func run() throws {
      let question = try question()
      let events = try connect(until: BootClock.now())
      let asking = try connect(until: BootClock.now())
      try Failure.mapped {
        var state = WatchedState(client: asking, keychain: keychain, showsLight: leds ?? false)
        try events.send(question.line(), before: .endOfTime)
        while let line = try events.nextLine(before: .endOfTime) {
          try Self.print(line)
          if let changed = try state.changed() { try Self.print(changed) }
        }
      }
    }
  }
}
