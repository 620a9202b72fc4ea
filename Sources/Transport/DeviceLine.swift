public import FobBase
import Glibc
public import SerialIO
import Synchronization

/// What a device's line calls. All but `onUnavailable` run on the device's own reader thread.
public struct DeviceLineHandlers: Sendable {
  /// The line is open; nothing was read yet. Runs before the reader thread starts.
  public var onOpen: @Sendable (Instant) -> Void
  /// Bytes, and when `read` returned them (CLOCK_BOOTTIME, ns).
  public var onBytes: @Sendable (UnsafeRawBufferPointer, UInt64) -> Void
  public var nextWake: @Sendable () -> Instant?
  public var onWake: @Sendable (Instant) -> Void
  public var onGone: @Sendable (GoneReason) -> Void
  /// It cannot be opened now; said once for each reason, and tried again.
  public var onUnavailable: @Sendable (IOFailure) -> Void
  /// What `LineTuning` did to the port that was opened, or why it did not; on the opening thread.
  public var onTuned: @Sendable (String) -> Void
  /// Another program had set the port's mode; it is as it was opened again.
  public var onModeRestored: @Sendable () -> Void

  public init(
    onOpen: @escaping @Sendable (Instant) -> Void,
    onBytes: @escaping @Sendable (UnsafeRawBufferPointer, UInt64) -> Void,
    nextWake: @escaping @Sendable () -> Instant?,
    onWake: @escaping @Sendable (Instant) -> Void,
    onGone: @escaping @Sendable (GoneReason) -> Void,
    onUnavailable: @escaping @Sendable (IOFailure) -> Void,
    onTuned: @escaping @Sendable (String) -> Void = { _ in },
    onModeRestored: @escaping @Sendable () -> Void = {}
  ) {
    self.onOpen = onOpen
    self.onBytes = onBytes
    self.nextWake = nextWake
    self.onWake = onWake
    self.onGone = onGone
    self.onUnavailable = onUnavailable
    self.onTuned = onTuned
    self.onModeRestored = onModeRestored
  }
}

/// One device that comes and goes under one name: it is opened as soon as it is there, read on a
/// thread of its own, and looked for again when it has gone, each second and whenever its folder
/// changes or udev tells of a device. The supervisor's thread opens it, so that nothing else waits
/// for a slow peer.
public final class DeviceLine: HostLine {
  public let spec: DeviceSpec
  private let handlers: DeviceLineHandlers
  private let opener: LineOpener
  private let reader = Mutex<(any HostLine)?>(nil)
  private let supervisor = Mutex<BlockingThread?>(nil)
  private let watch: LineWatch
  private let signal: EventSignal
  private let isStopping = Atomic(false)
  private let isGone = Atomic(true)
  /// The coming of a device which has hung up since, and when it did.
  private let spent = Mutex<(stamp: LineStamp, at: Instant)?>(nil)

  public init(
    _ spec: DeviceSpec, tuning: LineTuning = .standard, handlers: DeviceLineHandlers
  ) throws(IOFailure) {
    self.spec = spec
    self.handlers = handlers
    let watch = try LineWatch(spec)
    signal = try EventSignal()
    opener = LineOpener(
      spec, plugs: watch.plugs, tuning: tuning, onTuned: handlers.onTuned)
    self.watch = watch
  }

  public func start() throws(IOFailure) {
    try supervisor.withLock { (thread) throws(IOFailure) in
      thread = try BlockingThread(name: "device line") { self.supervise() }
    }
  }

  /// Closes the line and ends both threads.
  /// - Returns: false if the reader is still at work.
  @discardableResult
  public func stop() -> Bool {
    isStopping.store(true, ordering: .releasing)
    signal.signal()
    // Let go of: each of the two threads' bodies holds this line.
    _ = supervisor.withLock { $0.take() }?.join(within: .seconds(1))
    guard let reader = reader.withLock({ $0.take() }), !reader.stop() else { return true }
    guard case .usb = spec.kind else { return false }
    handlers.onUnavailable(
      IOFailure(
        "close", errno: ETIMEDOUT, path: spec.description,
        reason: "the device does not give its transfers back; plug it in again"))
    return false
  }

  /// Sends one whole frame or nothing; never waits.
  @discardableResult
  public func send(_ frame: UnsafeRawBufferPointer) -> SendOutcome {
    reader.withLock { $0 }?.send(frame) ?? .closed
  }

  /// Has `onWake` called soon.
  public func wake() { reader.withLock { $0 }?.wake() }

  private static let retry = Interval.seconds(1)

  private func supervise() {
    var told: IOFailure?
    var opened: Instant?
    while !isStopping.load(ordering: .acquiring) {
      if isGone.load(ordering: .acquiring) {
        watch.clear()
        do throws(IOFailure) {
          if let opened { try refuseIfTurnedAway(opened) }
          // What was told of the time before the line was open may be told again.
          if opened != nil { told = nil }
          opened = nil
          try open()
          opened = BootClock.now()
        } catch {
          opened = nil
          if error.errno != ECANCELED {
            if error != told { handlers.onUnavailable(error) }
            told = error
          }
        }
      }
      rest()
    }
  }

  /// Until the line has gone; or, if it is looked for, a second at most: a permission or a lock
  /// that is lifted makes no event here.
  private func rest() {
    let isLookedFor = isGone.load(ordering: .acquiring)
    let retry = isLookedFor ? BootClock.now() + Self.retry : nil
    // poll(2) passes over a negative descriptor.
    try? Syscall.awaitEither(
      isLookedFor ? watch.descriptor : -1, signal.descriptor, until: retry)
    signal.clear()
  }

  /// A device serves one host, and closes the line of another at once. To ask it again at once
  /// would keep both busy for ever.
  private func refuseIfTurnedAway(_ opened: Instant) throws(IOFailure) {
    guard opener.mayBeTurnedAway, BootClock.now() - opened < Self.retry else { return }
    throw IOFailure(
      "use", errno: EBUSY, path: "\(spec)",
      reason: "it closed the line at once; another host may have it")
  }

  /// A line hangs up some milliseconds before udev tells that the device has gone, so a plugged-in
  /// one is left alone, unsaid, until the next second; a link, until it is made anew.
  private func refuseIfSpent(_ stamp: LineStamp?) throws(IOFailure) {
    guard let stamp, let spent = spent.withLock({ $0 }), spent.stamp == stamp else { return }
    switch stamp {
    case .link:
      throw IOFailure(
        "open", errno: ENODEV, path: spec.path ?? spec.description,
        reason: "it still leads to the device that has gone")
    case .plug:
      guard BootClock.now() - spent.at < Self.retry else { return }
      throw IOFailure("open", errno: ECANCELED, path: spec.description)
    }
  }

  private func open() throws(IOFailure) {
    let stamp = watch.stamp(of: spec)
    try refuseIfSpent(stamp)
    let opened = try opener.open(
      cancel: signal.descriptor,
      ReaderHandlers(
        onBytes: handlers.onBytes, nextWake: handlers.nextWake, onWake: handlers.onWake,
        onGone: { [self] reason in
          if let stamp, stamp.isSpent(by: reason) {
            spent.withLock { $0 = (stamp, BootClock.now()) }
          }
          handlers.onGone(reason)
          isGone.store(true, ordering: .releasing)
          signal.signal()
        }, onModeRestored: handlers.onModeRestored))
    let last = reader.withLock { reader in
      defer { reader = opened }
      return reader
    }
    _ = consume last
    handlers.onOpen(BootClock.now())
    isGone.store(false, ordering: .releasing)
    do throws(IOFailure) {
      try opened.start()
    } catch {
      opened.stop()
      isGone.store(true, ordering: .releasing)
      throw error
    }
    opened.wake()
  }
}
