import FobBase
import Glibc
import SerialIO
import Synchronization

/// One thread for many simulated keychains: it serves each when it is due, when its line has
/// something, or when it is called, and sleeps until the earliest of all.
///
/// The keychains are those of ``EmulatorLoop``, which know nothing of each other. In place of a
/// poll(2), a timer and a wake for each there is one epoll set, one timer and one wake for all.
final class FleetThread: Sendable {
  /// Whom the thread lets in.
  struct Arrival: Sendable {
    let member: Int
    let configuration: EmulatorConfiguration
    let commandQueue: CommandQueue
    /// Where a line in memory is a ``MemoryLine``.
    let isDirect: Bool
    let answer: @Sendable (Result<(line: DeviceSpec, endpoint: MemoryEndpoint?), IOFailure>) -> Void

    func makeTransport(_ waker: FleetWaker) throws(IOFailure) -> any DeviceTransport {
      guard isDirect, case .memory(let name) = configuration.effectiveLine.kind else {
        return try configuration.makeTransport()
      }
      return MemoryTransport(name: name) { [member] in waker.ring(member) }
    }
  }

  struct Leaving: Sendable {
    let member: Int
    let answer: @Sendable () -> Void
  }

  private let waker: FleetWaker
  private let isDirect: Bool
  private let thread = Mutex<BlockingThread?>(nil)
  private let members = Mutex(0)
  private let told = Mutex(FleetPace())

  /// - Parameter isDirect: lines in memory are no socket pairs but ``MemoryLine``s.
  init(isDirect: Bool) throws(IOFailure) {
    waker = try FleetWaker()
    self.isDirect = isDirect
  }

  /// Which keychains may share a thread: nothing of them waits, and nothing of them is a file.
  static func takes(_ configuration: EmulatorConfiguration) -> Bool {
    guard configuration.board == .simulated, configuration.usb == nil else { return false }
    if case .pipe = configuration.gps { return false }
    switch configuration.effectiveLine.kind {
    case .memory, .unix, .tcp: return true
    case .pty, .serial, .tty, .usb: return false
    }
  }

  /// Of the next member.
  func newWaker() -> MemberWaker {
    members.withLock { members in
      defer { members += 1 }
      return MemberWaker(waker: waker, member: members)
    }
  }

  /// How it has kept its time so far, a moment old.
  var pace: FleetPace { told.withLock { $0 } }

  private var isCurrent: Bool { thread.withLock { $0 }?.isCurrent ?? false }

  /// Lets a keychain in, the first one into a thread that starts for it.
  /// - Throws: as ``EmulatedKeychain/start()``.
  func admit(
    _ configuration: EmulatorConfiguration, _ commandQueue: CommandQueue, as member: Int
  ) throws(IOFailure) -> FleetMembership {
    try thread.withLock { (thread) throws(IOFailure) in
      guard thread == nil else { return }
      let waits = try FleetWaits(waker)
      thread = try BlockingThread(name: "keychains") { [self] in
        FleetRound(waker, waits) { [self] pace in told.withLock { $0 = pace } }.run()
      }
    }
    let gate = try OneShot<Result<(line: DeviceSpec, endpoint: MemoryEndpoint?), IOFailure>>()
    let arrival = Arrival(
      member: member, configuration: configuration, commandQueue: commandQueue, isDirect: isDirect
    ) { gate.open(with: $0) }
    guard waker.arrive(arrival) else {
      throw IOFailure(
        "start", errno: ECANCELED, path: "keychain \(configuration.serial)",
        reason: "its fleet has been stopped")
    }
    let (line, endpoint) = try gate.pass().get()
    return FleetMembership(thread: self, member: member, line: line, endpoint: endpoint)
  }

  /// A keychain whose mailbox is closed ends.
  /// - Returns: false if a subscriber or a completion kept the thread longer than that.
  func leave(_ member: Int, within patience: Interval) -> Bool {
    guard !isCurrent, let gate = try? OneShot<Bool>() else { return true }
    guard waker.leave(Leaving(member: member) { gate.open(with: true) }) else { return true }
    return (try? gate.pass(until: BootClock.now() + patience)) == true
  }

  /// Ends all keychains and the thread.
  /// - Returns: as ``leave(_:within:)``.
  func stop(within patience: Interval) -> Bool {
    waker.close()
    let ended = thread.withLock { $0 }
    guard let ended, !ended.isCurrent else { return true }
    return ended.join(within: patience)
  }
}

/// Where a keychain of a fleet is on the thread that it shares.
struct FleetMembership: Sendable {
  let thread: FleetThread
  let member: Int
  let line: DeviceSpec
  /// Where a host of this process comes in; nil for a line that is the kernel's.
  let endpoint: MemoryEndpoint?
}

/// The board behind a line in memory, on a thread that it shares with others of its fleet.
final class MemoryTransport: DeviceTransport {
  let spec: DeviceSpec
  let endpoint: MemoryEndpoint
  private var host: MemoryLine?

  init(name: String, poke: @escaping @Sendable () -> Void) {
    spec = DeviceSpec(.memory(name: name))
    endpoint = MemoryEndpoint(name: name, poke: poke)
    endpoint.setOpen()
  }

  deinit { endpoint.close() }

  var isPluggedIn: Bool { endpoint.isOpen }
  var hostIsPresent: Bool { host != nil }
  /// Nothing to poll: who writes pokes.
  var descriptor: Int32 { -1 }
  var nextDue: Instant? { host?.nextWake }

  func plugIn() { endpoint.setOpen() }

  func pullOut() {
    host = nil
    endpoint.close()
  }

  /// A host that has left and one that comes are never seen in the same look, so that the leaving
  /// is told.
  func look() {
    let present = endpoint.host
    if let host, host !== present {
      self.host = nil
      return
    }
    host = present
    host?.serve(at: BootClock.now())
  }

  func read(_ buffer: UnsafeMutableRawBufferPointer) -> Int { host?.read(into: buffer) ?? 0 }

  func write(_ bytes: UnsafeRawBufferPointer) -> Int {
    host?.deliver(bytes)
    return bytes.count
  }
}
