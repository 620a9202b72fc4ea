import Glibc

/// What is done first when production code crashes the process, a trap included. It runs in a
/// signal handler, so nothing of it allocates or locks; then the crash goes its way.
enum CrashHandler {
  /// One more than the highest number of a signal on Linux.
  private static let signals = 65
  private static let fatal = [SIGILL, SIGTRAP, SIGABRT, SIGSEGV, SIGBUS, SIGFPE]

  // Written once, before the handlers that read it stand.
  nonisolated(unsafe) private static let before = {
    let actions = UnsafeMutablePointer<sigaction>.allocate(capacity: signals)
    actions.initialize(repeating: sigaction(), count: signals)
    return actions
  }()
  // Written once, too, before them.
  nonisolated(unsafe) private static let first = {
    let first = UnsafeMutablePointer<(@convention(c) () -> Void)?>.allocate(capacity: 1)
    first.initialize(to: nil)
    return first
  }()

  /// To be called once.
  /// - Parameters:
  ///   - act: safe in a signal handler (signal-safety(7)).
  ///   - quits: Ctrl-\ counts as a crash, too; not where SIGQUIT is ignored, as in a shell's
  ///     background.
  static func install(quits: Bool = false, _ act: @escaping @convention(c) () -> Void) {
    first.pointee = act
    for number in fatal + (quits ? [SIGQUIT] : []) {
      var action = sigaction()
      action.__sigaction_handler.sa_sigaction = { number, info, _ in
        // One crash is told once, and then handled as if this had not been here.
        sigaction(number, CrashHandler.before + Int(number), nil)
        CrashHandler.first.pointee?()
        // What trapped traps again; what was sent, as abort(3) does, has to be sent once more.
        if number == SIGQUIT || (info?.pointee.si_code ?? 0) <= 0 { raise(number) }
      }
      // SIGABRT is raised again while it is handled.
      action.sa_flags = Int32(SA_NODEFER) | SA_ONSTACK | SA_SIGINFO
      sigaction(number, &action, before + Int(number))
      if number == SIGQUIT, isIgnored(before[Int(number)]) {
        sigaction(number, before + Int(number), nil)
      }
    }
  }

  private static func isIgnored(_ action: sigaction) -> Bool {
    unsafeBitCast(action.__sigaction_handler.sa_handler, to: UInt.self)
      == unsafeBitCast(SIG_IGN, to: UInt.self)
  }
}
