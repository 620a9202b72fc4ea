package import Control
import FobBase
public import SerialIO
import Synchronization
import WireProtocol

/// The real firmware on a board of ``EmulatorConfiguration/Board``: what a host opens at `line`
/// behaves as the keychain does.
public final class EmulatedKeychain: Sendable {
  public let configuration: EmulatorConfiguration
  let mailbox: Mailbox
  private let running = Mutex<Running?>(nil)

  private struct Running: Sendable {
    var thread: BlockingThread
    var line: DeviceSpec
    var server: ControlServer?
  }

  public convenience init(
    _ configuration: EmulatorConfiguration = EmulatorConfiguration()
  ) throws(IOFailure) {
    try self.init(configuration, tap: try LineTap())
  }

  /// - Parameter tap: shared by all keychains of a control socket.
  init(_ configuration: EmulatorConfiguration, tap: LineTap) throws(IOFailure) {
    self.configuration = configuration
    mailbox = try Mailbox(tap: tap)
  }

  deinit { stop() }

  /// Of the link's bytes, at the board's end.
  package var tap: LineTap { mailbox.tap }

  /// What a host gives as its device. A TCP port that was asked for with 0 is known once it runs.
  public var line: DeviceSpec {
    running.withLock { $0?.line } ?? configuration.effectiveLine
  }

  /// Of a pty its stable name, of other lines the spec.
  public var linkPath: String {
    if case .pty(let path) = line.kind { path } else { line.description }
  }

  /// Returns when the firmware has booted and a host may open the line. It starts once.
  /// - Throws: `IOFailure` for the store, the GPS file, the link, the control socket, QEMU or the
  ///   firmware in it, which are then as they were.
  public func start() throws(IOFailure) {
    try running.withLock { (running) throws(IOFailure) in
      precondition(running == nil && mailbox.isOpen, "an emulator starts once")
      let gate = try Gate<Result<DeviceSpec, IOFailure>>()
      let thread = try BlockingThread(name: "keychain") { [configuration, mailbox] in
        let loop: any KeychainLoop
        do throws(IOFailure) {
          loop = try configuration.makeLoop(mailbox)
          try loop.start()
        } catch {
          return gate.open(with: .failure(error))
        }
        gate.open(with: .success(loop.plug.spec))
        loop.run()
      }
      do throws(IOFailure) {
        let line = try gate.pass().get()
        running = Running(thread: thread, line: line, server: try serve())
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
    let control = EmulatorControl([self])
    return try ControlServer(path: path) { request, reply in control.handle(request, reply) }
  }
}
