import Control
import FobBase
public import SerialIO
import Synchronization
import WireProtocol

/// The real firmware on a simulated board, on a real pty: what a host opens at `linkPath` behaves
/// as the keychain does.
public final class EmulatedKeychain: Sendable {
  public let configuration: EmulatorConfiguration
  public let linkPath: String
  private let mailbox: Mailbox
  private let running = Mutex<Running?>(nil)

  private struct Running: Sendable {
    var thread: BlockingThread
    var server: ControlServer?
  }

  public init(_ configuration: EmulatorConfiguration = EmulatorConfiguration()) throws(IOFailure) {
    self.configuration = configuration
    linkPath = configuration.effectiveLinkPath
    mailbox = try Mailbox()
  }

  deinit { stop() }

  /// Returns when the firmware has booted and the pty stands under its name. It starts once.
  /// - Throws: `IOFailure` for the store, the GPS file, the link or the control socket, which are
  ///   then as they were.
  public func start() throws(IOFailure) {
    try running.withLock { (running) throws(IOFailure) in
      precondition(running == nil && mailbox.isOpen, "an emulator starts once")
      let gate = try Gate<IOFailure?>()
      let thread = try BlockingThread(name: "keychain") { [configuration, mailbox] in
        let loop: EmulatorLoop
        do throws(IOFailure) {
          loop = try EmulatorLoop(configuration, mailbox)
        } catch {
          return gate.open(with: error)
        }
        loop.boot(.powerOn)
        loop.turn()
        gate.open(with: nil)
        loop.run()
      }
      do throws(IOFailure) {
        if let failure = try gate.pass() { throw failure }
        running = Running(thread: thread, server: try serve())
      } catch {
        mailbox.close()
        _ = thread.join(within: Self.patience)
        throw error
      }
    }
  }

  /// Ends the thread and removes link and control socket. The store keeps what it has.
  /// - Returns: false if a subscriber or a completion kept the thread longer than a second.
  @discardableResult
  public func stop() -> Bool {
    let ended = running.withLock { running in
      defer { running = nil }
      return running
    }
    mailbox.close()
    guard let ended else { return true }
    ended.server?.stop()
    return ended.thread.isCurrent ? true : ended.thread.join(within: Self.patience)
  }

  /// Hands a command to the keychain from any thread, never waiting.
  /// - Parameter complete: called once, on the emulator's thread or, if the command cannot be
  ///   taken or the emulator stops, on the caller's; it must not block.
  public func perform(
    _ command: EmulatorCommand,
    _ complete: @escaping @Sendable (Result<EmulatorAnswer, CommandRefusal>) -> Void
  ) {
    mailbox.post(command, complete)
  }

  /// As above, and waits for the answer: not to be called from a subscriber or a completion.
  public func perform(_ command: EmulatorCommand) throws(CommandRefusal) -> EmulatorAnswer {
    let result: Result<EmulatorAnswer, CommandRefusal>
    do {
      let gate = try Gate<Result<EmulatorAnswer, CommandRefusal>>()
      mailbox.post(command) { gate.open(with: $0) }
      result = try gate.pass()
    } catch {
      throw CommandRefusal(error.description)
    }
    return try result.get()
  }

  /// Hears what happens from now on, until the subscription is cancelled or let go.
  /// - Parameters:
  ///   - light: also each change of the light.
  ///   - onEvent: called on the emulator's thread, so it must not block.
  /// - Returns: nil if there are 64 subscribers already.
  public func subscribe(
    light: Bool = false, _ onEvent: @escaping @Sendable (EmulatorEvent) -> Void
  ) -> EventSubscription? {
    EventSubscription(mailbox.feed, light: light, onEvent)
  }

  private static let patience = Interval.seconds(1)

  private func serve() throws(IOFailure) -> ControlServer? {
    guard let path = configuration.controlPath else { return nil }
    let control = EmulatorControl(mailbox: mailbox)
    return try ControlServer(path: path) { request, reply in control.handle(request, reply) }
  }
}
