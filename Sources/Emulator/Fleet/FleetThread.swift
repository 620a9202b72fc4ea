import FobBase
import Glibc
import SerialIO
import Synchronization

/// One thread for many simulated keychains. It serves each when it is due, when its line has
/// something, or when it is called, and sleeps until the earliest deadline.
///
/// Each keychain is an ``EmulatorLoop`` that knows nothing of the others. They share one epoll set,
/// one timer and one waker, in place of a poll(2), a timer and a waker for each.
final class FleetThread: Sendable {
  /// A keychain that is to join the thread.
  struct Arrival: Sendable {
    let member: Int
    let configuration: EmulatorConfiguration
    let commandQueue: CommandQueue
    /// Whether a line in memory is a ``MemoryLine``, without system calls.
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

  /// - Parameter isDirect: whether lines in memory are ``MemoryLine``s; else they are socket pairs.
  init(isDirect: Bool) throws(IOFailure) {
    waker = try FleetWaker()
    self.isDirect = isDirect
  }

  /// Whether a keychain may share a thread: simulated, on a socket or in memory, without a GPS
  /// pipe.
  static func takes(_ configuration: EmulatorConfiguration) -> Bool {
    guard configuration.board == .simulated, configuration.usb == nil else { return false }
    if case .pipe = configuration.gps { return false }
    switch configuration.effectiveLine.kind {
    case .memory, .unix, .tcp: return true
    case .pty, .serial, .tty, .usb: return false
    }
  }

  /// The waker of the next member.
  func newWaker() -> MemberWaker {
    members.withLock { members in
      defer { members += 1 }
      return MemberWaker(waker: waker, member: members)
    }
  }

  /// How the thread keeps up, as last told: every 200 ms while keychains are due.
  var pace: FleetPace { told.withLock { $0 } }

  private var isCurrent: Bool { thread.withLock { $0 }?.isCurrent ?? false }

  /// Adds a keychain; the first one starts the thread.
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

  /// Ends a keychain, whose command queue must be closed.
  /// - Returns: false if a subscriber or a completion kept the thread longer than `patience`.
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

/// A keychain's place on the thread of its fleet.
struct FleetMembership: Sendable {
  let thread: FleetThread
  let member: Int
  let line: DeviceSpec
  /// Where a host of this process connects; nil for a line of the kernel's.
  let endpoint: MemoryEndpoint?
}

/// The board on a ``MemoryLine``, on the thread of its fleet.
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
  /// Nothing to poll: a host that writes wakes the thread.
  var descriptor: Int32 { -1 }
  var nextDue: Instant? { host?.nextWake }

  func plugIn() { endpoint.setOpen() }

  func pullOut() {
    host = nil
    endpoint.close()
  }

  /// One look never sees a host leave and another come, so that the leaving is told.
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
