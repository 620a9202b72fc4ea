import AlertCore
import Bridge
import Console
import Control
import Emulator
import FobBase
import Glibc
import SerialIO
import Synchronization

/// The terminal of `fob run` as a full-screen view. A thread of its own draws: at most ten times a
/// second, only what has changed, and without waiting for the terminal where somebody else waits.
final class RunView: Sendable {
  private let coreService: CoreService
  private let keychain: EmulatedKeychain
  private let journal: RunJournal
  private let folder: String
  private let sockets: String
  private let terminal: ScreenTerminal
  private let isShown = Atomic(false)
  private let isStopped = Atomic(false)
  /// Signalled while the thread has to let go of the terminal.
  private let wake: EventSignal
  private let painter = Mutex(ScreenPainter())
  private let thread = Mutex<BlockingThread?>(nil)
  private let subscription = Mutex<EventSubscription?>(nil)

  private static let pause = Interval.milliseconds(100)
  private static let look = Interval.seconds(1)
  /// How long a terminal may take to take its screen back.
  private static let patience = Interval.seconds(1)
  private static let lastLines = 20

  /// - Parameters:
  ///   - folder: that of the state, which has the log.
  ///   - sockets: where keychain and bridge are asked.
  init(
    _ terminal: ScreenTerminal, _ coreService: CoreService, _ keychain: EmulatedKeychain,
    _ journal: RunJournal, folder: String, sockets: String
  ) throws(IOFailure) {
    self.terminal = terminal
    self.coreService = coreService
    self.keychain = keychain
    self.journal = journal
    self.folder = folder
    self.sockets = sockets
    wake = try EventSignal()
  }

  /// Whether keys are for this process, so that they may be read.
  var hasKeys: Bool { isShown.load(ordering: .acquiring) }
  var signalDescriptor: Int32 { terminal.signalDescriptor }

  // MARK: Begin and end

  func open() throws(IOFailure) {
    coreService.watch { [journal] in journal.note($0) }
    try coreService.bridge.tap.follow { [journal] in journal.note($0, lost: $1) }
    let subscription = keychain.subscribe { [journal] _ in journal.news.signal() }
    self.subscription.withLock { $0 = subscription }
    let thread = try BlockingThread(name: "screen") { [self] in run() }
    self.thread.withLock { $0 = thread }
    journal.open()
    Terminal.divert { [journal] in journal.keep($0, isError: $1) }
    // What was printed before stands above the view, not in it.
    Terminal.flush()
    enter()
  }

  /// Leaves the screen, and says there what happened last.
  func close() {
    isStopped.store(true, ordering: .releasing)
    let isLeft = leave()
    journal.news.signal()
    subscription.withLock { $0 = nil }
    _ = thread.withLock { $0.take() }?.join(within: Self.patience)
    Terminal.divert(nil)
    journal.close()
    // Nothing more is written to a terminal that takes nothing.
    guard isLeft else { return }
    let rest = journal.rest(Self.lastLines)
    if rest.before > 0 { Terminal.line("… \(rest.before) earlier lines") }
    for line in rest.last { Terminal.line(line.printed(hasColour: Terminal.hasColour)) }
    let alarms = rest.incidents == 1 ? "1 alarm" : "\(rest.incidents) alarms"
    Terminal.line("\(alarms) since the start; state and log are in \(folder.printable)")
  }

  /// What the terminal has told; on the thread that reads the keys.
  func takeSignals() {
    while let signal = terminal.nextSignal() {
      switch signal {
      case SIGTSTP:
        // Whoever reads the keys follows the foreground when the process goes on.
        leave()
        terminal.stopProcess()
      case SIGCONT: if terminal.isForeground { enter() }
      default: journal.news.signal()
      }
    }
  }

  /// A shell may have taken the terminal, or given it back, without a signal (SIGSTOP, `bg`, `fg`).
  func followForeground() {
    let isForeground = terminal.isForeground
    guard isForeground != isShown.load(ordering: .acquiring) else { return }
    if isForeground { return enter() }
    isShown.store(false, ordering: .releasing)
    wake.signal()
    // The thread has let go of the terminal; nothing is written, for it is the shell's.
    painter.withLock { $0.forget() }
    wake.clear()
  }

  private func enter() {
    var mode = termios()
    tcgetattr(STDIN_FILENO, &mode)
    TerminalRescue.arm(mode, terminal.descriptor)
    mode.c_lflag &= ~tcflag_t(ICANON | ECHO)
    tcsetattr(STDIN_FILENO, TCSANOW, &mode)
    wake.signal()
    painter.withLock { painter in
      painter.forget()
      _ = terminal.write(
        TerminalRescue.entering.description, until: BootClock.now() + Self.patience)
      isShown.store(true, ordering: .releasing)
    }
    wake.clear()
    journal.news.signal()
  }

  /// - Returns: whether the terminal has taken that.
  @discardableResult
  private func leave() -> Bool {
    guard isShown.exchange(false, ordering: .acquiringAndReleasing) else { return true }
    wake.signal()
    TerminalRescue.startOutput()
    let isLeft = painter.withLock { _ in
      terminal.write(
        TerminalRescue.leaving.description, until: BootClock.now() + Self.patience)
    }
    TerminalRescue.restore(screen: false)
    wake.clear()
    return isLeft
  }

  // MARK: The drawing thread

  private func run() {
    // Behind everything else of this process, a press above all.
    BlockingThread.runLater()
    while !isStopped.load(ordering: .acquiring) {
      journal.news.clear()
      if isShown.load(ordering: .acquiring) { draw() }
      rest(Self.pause, wake.descriptor)
      rest(Self.look, journal.news.descriptor)
    }
  }

  private func rest(_ interval: Interval, _ descriptor: Int32) {
    guard !isStopped.load(ordering: .acquiring) else { return }
    _ = try? Syscall.poll(descriptor, for: POLLIN, until: BootClock.now() + interval)
  }

  private func draw() {
    keychain.perform(.state) { [journal] answer in
      if case .success(.state(let state)) = answer { journal.note(RunState.Keychain(state)) }
    }
    var state = RunState()
    let shown = coreService.shown
    journal.fill(&state, of: shown.number)
    let (status, account) = (shown.status, shown.account)
    func name(_ id: ContactID) -> String { account.contacts.first { $0.id == id }?.name ?? id }
    state.alarm = RunState.Emergency(status, name: name)
    if shown.number != .first { state.account = "\(shown.number), \(account.name)" }
    state.otherAlarms = coreService.bridge.accounts.filter { $0 !== shown && $0.state.isOpen }
      .map(\.number)
    for index in state.told.indices { state.told[index].contact = name(state.told[index].contact) }
    state.pin = coreService.pin
    state.page = coreService.page(at: BootClock.now())
    (state.pageObstacle, state.sockets) = (coreService.pageObstacle, sockets)
    let size = Terminal.size(of: STDOUT_FILENO)
    let rows = RunScreen(state, size: size).rows(hasColour: Terminal.hasColour)
    painter.withLock { painter in
      // It may have been left since.
      guard isShown.load(ordering: .acquiring) else { return }
      let bytes = painter.bytes(rows, size: size)
      if !bytes.isEmpty, !terminal.write(bytes, cancel: wake.descriptor) { painter.forget() }
    }
  }
}

extension CoreService {
  /// Where the page is; nil: none is served.
  func page(at now: Instant) -> RunState.Page? {
    apiServer.map { RunState.Page(address: $0.url, code: $0.code.open(at: now)) }
  }
}
