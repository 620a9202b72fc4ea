package import Control
import FobBase
import Glibc
public import SerialIO
import Synchronization
import WireProtocol

/// The real firmware on a simulated board or in QEMU. A host that opens `line` finds a keychain
/// there.
public final class EmulatedKeychain: Sendable {
  /// As given to `init`; commands do not change it.
  public let configuration: EmulatorConfiguration
  let commandQueue: CommandQueue
  private let running = Mutex<Running?>(nil)

  private struct Running: Sendable {
    var home: Home
    var line: DeviceSpec
    var server: ControlServer?
  }

  /// The thread that it runs on.
  private enum Home: Sendable {
    case own(BlockingThread)
    case shared(FleetMembership)
  }

  private let fleet: (thread: FleetThread, member: Int)?
  /// The waker of its own thread; nil on a shared one.
  private let waker: PolledWaker?

  /// A keychain with a thread of its own; nothing is opened before ``start()``.
  public convenience init(
    _ configuration: EmulatorConfiguration = EmulatorConfiguration()
  ) throws(IOFailure) {
    try self.init(configuration, tap: try LineTap())
  }

  /// - Parameters:
  ///   - tap: shared by all keychains of a control socket.
  ///   - thread: the thread of its fleet; nil: it has one of its own.
  init(
    _ configuration: EmulatorConfiguration, tap: LineTap, on thread: FleetThread? = nil
  ) throws(IOFailure) {
    self.configuration = configuration
    if let thread {
      let own = thread.newWaker()
      fleet = (thread, own.member)
      waker = nil
      commandQueue = CommandQueue(tap: tap, waker: own)
    } else {
      let own = try PolledWaker()
      fleet = nil
      waker = own
      commandQueue = CommandQueue(tap: tap, waker: own)
    }
  }

  deinit { stop() }

  /// The tap of the link's bytes, at the board's end.
  package var tap: LineTap { commandQueue.tap }

  /// The spec that a host gives as its device. A TCP port asked for as 0 is known once the keychain
  /// runs.
  public var line: DeviceSpec {
    running.withLock { $0?.line } ?? configuration.effectiveLine
  }

  /// The stable name of a pty; the spec of another line.
  public var linkPath: String {
    if case .pty(let path) = line.kind { path } else { line.description }
  }

  /// Starts the keychain, once. Returns when the firmware has booted and a host may open the line.
  /// - Throws: `IOFailure` for the store, the GPS file, the link, the control socket, QEMU or the
  ///   firmware in it. Nothing of the keychain runs then.
  public func start() throws(IOFailure) {
    try running.withLock { (running) throws(IOFailure) in
      precondition(running == nil && commandQueue.isOpen, "an emulator starts once")
      do throws(IOFailure) {
        let (home, line) = try settle()
        running = Running(home: home, line: line, server: nil)
        running?.server = try serve()
      } catch {
        commandQueue.close()
        if let home = running?.home { _ = Self.end(home) }
        running = nil
        throw error
      }
    }
  }

  private func settle() throws(IOFailure) -> (Home, DeviceSpec) {
    if let fleet {
      let place = try fleet.thread.admit(configuration, commandQueue, as: fleet.member)
      return (.shared(place), place.line)
    }
    guard let waker else { preconditionFailure("a thread of its own has a waker of its own") }
    let gate = try OneShot<Result<DeviceSpec, IOFailure>>()
    let thread = try BlockingThread(name: "keychain") { [configuration, commandQueue] in
      let loop: any KeychainLoop
      do throws(IOFailure) {
        loop = try configuration.makeLoop(commandQueue, try PollWaiter(waker))
        try loop.start()
      } catch {
        return gate.open(with: .failure(error))
      }
      gate.open(with: .success(loop.transport.spec))
      loop.run()
    }
    do throws(IOFailure) {
      return (.own(thread), try gate.pass().get())
    } catch {
      commandQueue.close()
      _ = thread.join(within: Self.patience)
      throw error
    }
  }

  /// Ends the keychain, and its thread if it has one of its own, and removes link and control
  /// socket. The store keeps its content.
  /// - Returns: false if a subscriber or a completion kept the thread longer than a second.
  @discardableResult
  public func stop() -> Bool {
    let ended = running.withLock { running in
      defer { running = nil }
      return running
    }
    commandQueue.close()
    guard let ended else { return true }
    ended.server?.stop()
    return Self.end(ended.home)
  }

  private static func end(_ home: Home) -> Bool {
    switch home {
    case .own(let thread): thread.isCurrent ? true : thread.join(within: patience)
    case .shared(let place): place.thread.leave(place.member, within: patience)
    }
  }

  /// Where a host of this process connects; nil unless the keychain runs in a fleet whose lines are
  /// direct. The host's handlers run on the fleet's thread and must not wait.
  public var endpoint: MemoryEndpoint? {
    guard case .shared(let place)? = running.withLock({ $0?.home }) else { return nil }
    return place.endpoint
  }

  /// Hands a command to the keychain from any thread, never waiting. `complete` is called once, on
  /// the emulator's thread or, if the command cannot be taken or the emulator stops, on the
  /// caller's; it must not block.
  public func perform(
    _ command: EmulatorCommand,
    _ complete: @escaping @Sendable (Result<EmulatorAnswer, CommandRefusal>) -> Void
  ) {
    commandQueue.post(command, complete)
  }

  /// Hands a command to the keychain and waits for the answer. Never call it from a subscriber or a
  /// completion: it would wait for its own thread.
  public func perform(_ command: EmulatorCommand) throws(CommandRefusal) -> EmulatorAnswer {
    let result: Result<EmulatorAnswer, CommandRefusal>
    do {
      let gate = try OneShot<Result<EmulatorAnswer, CommandRefusal>>()
      commandQueue.post(command) { gate.open(with: $0) }
      result = try gate.pass()
    } catch {
      throw CommandRefusal(error.description)
    }
    return try result.get()
  }

  /// Calls `onEvent` for each event from now on, until the subscription is cancelled or let go.
  /// - Parameters:
  ///   - light: whether changes of the light are told, too.
  ///   - onEvent: called on the emulator's thread, so it must not block.
  /// - Returns: nil if there are 64 subscribers already.
  public func subscribe(
    light: Bool = false, _ onEvent: @escaping @Sendable (EmulatorEvent) -> Void
  ) -> EventSubscription? {
    EventSubscription(commandQueue.feed, light: light, onEvent)
  }

  private static let patience = Interval.seconds(1)

  private func serve() throws(IOFailure) -> ControlServer? {
    guard let path = configuration.controlPath else { return nil }
    let control = EmulatorControl([self])
    return try ControlServer(path: path) { request, reply in control.handle(request, reply) }
  }
}

extension EmulatedKeychain {
  /// Carries out a request of the control socket that came by another way, as from another host.
  ///
  /// It refuses what only the control socket may do, which only this user can open: streams
  /// (`subscribe`, `tap`), and GPS sources that are files of this host.
  /// - Parameters:
  ///   - request: one JSON object, as in `{"do":"press","hold_ms":120}`.
  ///   - answer: called once with the JSON that the socket would answer, or with the refusal. It
  ///     runs on the emulator's thread or the caller's and must not block.
  public func carryOut(
    _ request: [UInt8], _ answer: @escaping @Sendable (Result<[UInt8], CommandRefusal>) -> Void
  ) {
    do throws(CommandRefusal) {
      perform(try command(in: request)) { result in
        answer(
          result.map { _ in
            // Encoding cannot fail: an answer has text and numbers only.
            (try? JSONLine.encode(AnswerJSON(result: result))) ?? []
          })
      }
    } catch {
      answer(.failure(error))
    }
  }

  private func command(in request: [UInt8]) throws(CommandRefusal) -> EmulatorCommand {
    let asked = try AddressedRequest.read(ControlRequest(line: request)).get()
    guard asked.address == .unsaid || asked.address == .serial(configuration.serial) else {
      throw CommandRefusal("one keychain is asked here, the one that the address names")
    }
    switch asked.request {
    case .command(.gps(.file, _)), .command(.gps(.pipe, _)):
      throw CommandRefusal(
        "a file of this host is chosen at its control socket or by --gps; here it is none, at:,"
          + " track: or story:")
    case .command(let command): return command
    case .subscribe, .tap:
      throw CommandRefusal("streams are to be had at the control socket")
    }
  }
}
