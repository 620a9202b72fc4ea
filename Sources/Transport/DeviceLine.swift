public import FobBase
import Glibc
public import SerialIO
import Synchronization

/// The calls of a ``DeviceLine``. `onBytes`, `nextWake`, `onWake`, `onGone` and `onModeRestored`
/// run on the device's reader thread; `onOpen`, `onTuned` and `onUnavailable` on the thread that
/// opens the line.
public struct DeviceLineHandlers: Sendable {
  /// The line is open and nothing was read yet: the reader thread starts after this call.
  public var onOpen: @Sendable (Instant) -> Void
  /// Bytes, and when `read` returned them (CLOCK_BOOTTIME, ns).
  public var onBytes: @Sendable (UnsafeRawBufferPointer, UInt64) -> Void
  /// The handler's deadline, as in `ReaderHandlers`; nil: none.
  public var nextWake: @Sendable () -> Instant?
  /// The deadline has come or `wake()` was called.
  public var onWake: @Sendable (Instant) -> Void
  /// The line has closed; it is opened again as soon as the device is there. Not called after
  /// `stop()`.
  public var onGone: @Sendable (GoneReason) -> Void
  /// The line cannot be opened now. It is tried again each second; the same reason in a row is told
  /// once. `stop()` tells a USB device that keeps its transfers, on the caller's thread.
  public var onUnavailable: @Sendable (IOFailure) -> Void
  /// What `LineTuning` did to the opened port, or why it could not, in words for a log.
  public var onTuned: @Sendable (String) -> Void
  /// Another program had changed the port's mode, which is now restored.
  public var onModeRestored: @Sendable () -> Void

  /// All are needed but the last two, which do nothing unless given.
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

/// One device that comes and goes under one name. It is opened as soon as it is there, and read on
/// a thread of its own. When it has gone it is looked for each second, and whenever its folder
/// changes or udev tells of a device. A supervisor thread opens it, so that nothing else waits for
/// a slow peer.
public final class DeviceLine: HostLine {
  /// The name under which the device comes and goes.
  public let spec: DeviceSpec
  private let handlers: DeviceLineHandlers
  private let opener: LineOpener
  private let reader = Mutex<(any HostLine)?>(nil)
  private let supervisor = Mutex<BlockingThread?>(nil)
  private let watch: LineWatch
  private let signal: EventSignal
  private let isStopping = Atomic(false)
  private let isGone = Atomic(true)
  /// The last coming of the device that has hung up, and when it did.
  private let spent = Mutex<(stamp: LineStamp, at: Instant)?>(nil)

  /// Opens nothing before ``start()``.
  /// - Throws: `IOFailure` where the system gives no descriptors, or libudev cannot be used.
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

  /// Starts the supervisor thread; once. A device that is missing is no error.
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
    // The threads' bodies hold this line, so the references to them are dropped here.
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

  /// Sends a BREAK, and returns behind it. What it does is the board's matter.
  /// - Throws: `IOFailure` with ENOTTY where the line is closed or no terminal.
  public func sendBreak() throws(IOFailure) {
    guard let reader = reader.withLock({ $0 }) as? ReaderLoop else {
      throw IOFailure("send a BREAK to", errno: ENOTTY, path: spec.description)
    }
    try reader.sendBreak()
  }

  /// Makes the reader call `onWake` soon; does nothing while the line is closed.
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
          // A reason from before the line was open may be told again.
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

  /// Waits until the line has gone. While it is looked for, waits a second at most: a permission or
  /// a lock that is lifted makes no event here.
  private func rest() {
    let isLookedFor = isGone.load(ordering: .acquiring)
    let retry = isLookedFor ? BootClock.now() + Self.retry : nil
    // poll(2) passes over a negative descriptor.
    try? Syscall.awaitEither(
      isLookedFor ? watch.descriptor : -1, signal.descriptor, until: retry)
    signal.clear()
  }

  /// A device serves one host, and closes the line of another at once. Without this pause both
  /// would be busy for ever.
  private func refuseIfTurnedAway(_ opened: Instant) throws(IOFailure) {
    guard opener.mayBeTurnedAway, BootClock.now() - opened < Self.retry else { return }
    throw IOFailure(
      "use", errno: EBUSY, path: "\(spec)",
      reason: "it closed the line at once; another host may have it")
  }

  /// Refuses a device that has hung up already. A line hangs up some milliseconds before udev tells
  /// that the device has gone, so an attached device is left alone for a second, without a message;
  /// a link is left alone until it is made anew.
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

/// Opens the host's end of a line of any kind, once for each call.
struct LineOpener: Sendable {
  private let kind: DeviceSpec.Kind
  private let tcp: TCPConnector?
  private let plugs: HotplugMonitor?
  private let tuning: LineTuning
  /// Gets what was done to a port, or why not.
  private let onTuned: @Sendable (String) -> Void

  /// - Parameter plugs: udev's view, in which a `tty:` or `usb:` is looked for.
  init(
    _ spec: DeviceSpec, plugs: HotplugMonitor?, tuning: LineTuning,
    onTuned: @escaping @Sendable (String) -> Void
  ) {
    kind = spec.kind
    self.tuning = tuning
    self.onTuned = onTuned
    self.plugs = plugs
    tcp =
      if case .tcp(let host, let port) = spec.kind {
        TCPConnector(host: host, port: port)
      } else {
        nil
      }
  }

  /// How long a peer may take to answer, its name's look-up included.
  static let patience = Interval.seconds(5)

  /// Whether a line that closes at once means that the device serves another host.
  var mayBeTurnedAway: Bool {
    switch kind {
    case .unix, .tcp, .memory: true
    case .pty, .serial, .tty, .usb: false
    }
  }

  /// - Parameter cancel: ends the wait for a peer when readable, with ECANCELED.
  func open(cancel: Int32, _ handlers: ReaderHandlers) throws(IOFailure) -> any HostLine {
    if case .usb(let address) = kind {
      let device = try device(at: address, "usb")
      return try USBReader(
        LibUSBConnection(device.address, node: device.node), scheduling: tuning.scheduling,
        handlers: handlers)
    }
    return try ReaderLoop(
      descriptor(cancel: cancel), name: "reader", scheduling: tuning.scheduling,
      keeping: flow, handlers: handlers)
  }

  /// The flow control of a terminal; nil for a line without a mode.
  private var flow: SerialSettings.Flow? {
    switch kind {
    case .pty, .tty: SerialSettings.Flow.none
    case .serial(_, let settings): settings.flow
    case .unix, .tcp, .memory, .usb: nil
    }
  }

  private func descriptor(cancel: Int32) throws(IOFailure) -> OwnedDescriptor {
    switch kind {
    case .pty(let path): return try Self.terminal(path)
    case .serial(let path, let settings): return tuned(try Self.terminal(path, settings))
    case .unix(let path): return try UnixSocket.connectAtOnce(path: path)
    case .tcp: return try tcp!.connect(cancel: cancel, until: BootClock.now() + Self.patience)
    case .memory(let name): return try MemoryListener.connect(name: name)
    case .tty(let address):
      let device = try device(at: address, "tty")
      return tuned(try Self.terminal(device.node, device.settings))
    case .usb: preconditionFailure("a USB device has no descriptor to read")
    }
  }

  /// A port that cannot be made faster is served as it is.
  private func tuned(_ port: consuming OwnedDescriptor) -> OwnedDescriptor {
    if tuning.isLowLatency { onTuned(PortLatency.lower(port).description) }
    return port
  }

  /// The one device at an address, as udev shows it now.
  private func device(
    at address: USBAddress, _ kind: String
  ) throws(IOFailure) -> AttachedDevice {
    do throws(IOFailure) {
      return try (plugs?.board ?? HotplugTable()).only(address)
    } catch {
      throw IOFailure("open", errno: error.errno, path: "\(kind):\(address)", reason: error.reason)
    }
  }

  private static func terminal(
    _ path: String, _ settings: SerialSettings = SerialSettings()
  ) throws(IOFailure) -> OwnedDescriptor {
    do throws(IOFailure) {
      return try SerialLine(path: path, settings: settings).intoDescriptor()
    } catch {
      guard error.errno == EACCES, let refusal = PortUser.current.refusal(of: path) else {
        throw error
      }
      throw IOFailure(error.operation, errno: EACCES, path: path, reason: refusal)
    }
  }
}

/// The host's end of a line, of any kind: opened once, or again whenever the device comes. Handlers
/// are called as `ReaderHandlers` says.
public protocol HostLine: AnyObject, Sendable {
  /// Begins to read; once.
  func start() throws(IOFailure)
  /// Closes the line, and ends its own thread if it has one.
  /// - Returns: false if the thread is still at work, kept by a handler or by the device.
  @discardableResult func stop() -> Bool
  /// Makes the line call `onWake` soon; from any thread.
  func wake()
  /// Sends one frame from any thread, never waiting: whole and in order, or not at all.
  @discardableResult func send(_ frame: UnsafeRawBufferPointer) -> SendOutcome
}

extension ReaderLoop: HostLine {}
extension MemoryLine: HostLine {}
