import AlertCore
import Bridge
import Emulator
import FobBase
import Glibc
import SerialIO

/// The terminal as a keychain and as the person with the PIN: one key, one act.
final class Keyboard {
  private let coreService: CoreService
  private let keychain: EmulatedKeychain
  private let timeline: Timeline
  /// Shows what is typed; nil: lines do.
  private let view: RunView?
  private var digits: String? { didSet { timeline.journal?.typing(digits?.count) } }
  private var isHeld = false
  private var isPlugged = true
  private var battery: UInt8

  init(
    coreService: CoreService, keychain: EmulatedKeychain, timeline: Timeline, view: RunView? = nil
  ) {
    self.coreService = coreService
    self.keychain = keychain
    self.timeline = timeline
    self.view = view
    battery = keychain.configuration.batteryPercent
  }

  /// No signal says that a job which runs already is in the foreground again.
  private static let look = Interval.seconds(1)

  /// Each key, and what it does.
  static let keys = [
    "space press", "h hold/let go", "u pull/push the plug", "b battery -10 %", "x cut the power",
    "p PIN (four digits)", "a Contact 1 has it", "s silence", "q survey", "r resume",
    "? this", "Ctrl-C ends",
  ]

  private func help() {
    if view != nil {
      timeline.journal?.showKeys(true)
      return
    }
    let lines = TextColumns.wrapped(Self.keys, between: "   ", to: 86)
    for line in lines { timeline.say("keys", line) }
  }

  func run(until termination: borrowing Termination) throws {
    guard let view else { return try readLines(until: termination) }
    try view.open()
    defer { view.close() }
    try read(until: termination)
  }

  private func readLines(until termination: borrowing Termination) throws {
    var saved = termios()
    tcgetattr(STDIN_FILENO, &saved)
    var keys = saved
    keys.c_lflag &= ~tcflag_t(ICANON | ECHO)
    tcsetattr(STDIN_FILENO, TCSANOW, &keys)
    defer { tcsetattr(STDIN_FILENO, TCSANOW, &saved) }
    help()
    try read(until: termination)
  }

  private func read(until termination: borrowing Termination) throws {
    while true {
      let keys = view?.hasKeys == false ? -1 : STDIN_FILENO
      try Syscall.awaitEither(
        keys, termination.descriptor, or: view?.signalDescriptor ?? -1,
        until: view.map { _ in BootClock.now() + Self.look })
      if termination.wait(until: BootClock.now()) { return }
      view?.takeSignals()
      view?.followForeground()
      guard keys >= 0, view?.hasKeys != false, try hasKey() else { continue }
      var key: UInt8 = 0
      guard Glibc.read(STDIN_FILENO, &key, 1) == 1, key != 4 else { return }
      press(Character(UnicodeScalar(key)))
    }
  }

  private func hasKey() throws -> Bool {
    try Syscall.poll(STDIN_FILENO, for: POLLIN, until: Instant(microseconds: 0)) != 0
  }

  private func press(_ key: Character) {
    if digits != nil {
      collect(key)
      return
    }
    timeline.journal?.showKeys(false)
    switch key {
    case " ": act(.press())
    case "h":
      isHeld.toggle()
      act(isHeld ? .hold : .release)
    case "u":
      isPlugged.toggle()
      act(isPlugged ? .replug : .unplug)
    case "b" where !keychain.configuration.hasBattery:
      timeline.say("keys", "the keychain has no battery")
    case "b":
      battery = battery >= 10 ? battery - 10 : 100
      timeline.say("keys", "battery at \(battery) %")
      act(.battery(percent: battery))
    case "x": act(.powerCut(.seconds(1)))
    case "p":
      digits = ""
      timeline.say("keys", "PIN: four digits, any other key gives up")
    case "a": perform(.acknowledge("contact-1"))
    case "s": perform(.silence)
    case "q": perform(.quit)
    case "r": perform(.resume)
    default: help()
    }
  }

  /// Submits itself on the fourth digit (R6).
  private func collect(_ key: Character) {
    guard key.isASCII, key.isNumber else {
      digits = nil
      timeline.say("keys", "no PIN entered")
      // Whatever is asked for: it is the button.
      if key == " " { press(key) }
      return
    }
    digits!.append(key)
    guard let pin = digits, pin.count == 4 else { return }
    digits = nil
    coreService.shown.disarm(pin: pin) { [timeline] in Self.show($0, timeline) }
  }

  private func act(_ command: EmulatorCommand) {
    keychain.perform(command) { [timeline] answer in
      if case .failure(let refusal) = answer { timeline.say("keychain", "\(refusal)", .bad) }
    }
  }

  private func perform(_ userCommand: UserCommand) {
    coreService.shown.perform(userCommand) { [timeline] in Self.show($0, timeline) }
  }

  private static func show(_ answer: Answer, _ timeline: Timeline) {
    if let refusal = answer.refusal {
      timeline.say("refused", refusal.description, .bad)
    } else if !answer.isDurable {
      timeline.say("store", "done, but NOT DURABLE: a restart may forget it", .bad)
    }
  }
}
