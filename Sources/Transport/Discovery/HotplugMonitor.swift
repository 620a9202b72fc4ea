import CUdev
public import FobBase
import Glibc
public import SerialIO
import Synchronization

/// Follows the attached devices of one kind, by libudev. It opens the monitor first and then looks
/// for all devices, so that none falls between.
public final class HotplugMonitor: Sendable {
  /// Behind one lock, since libudev takes one thread at a time.
  private struct State: ~Copyable {
    // Released in this order: the monitor is made with the context.
    var monitor: UdevMonitor?
    let context: UdevContext
    var board = HotplugTable()
    /// When all devices were last looked for; nil: never.
    var lookedAt: Instant?

    init(_ kind: AttachedDevice.Kind) throws(IOFailure) {
      let context = try UdevContext()
      // Where netlink is refused, devices are found by looking each second.
      monitor = try? UdevMonitor(kind, in: context)
      self.context = context
    }

    borrowing func take() -> UdevMonitor.Taken {
      switch monitor {
      case .some(let monitor): monitor.take()
      case .none: .nothing
      }
    }
  }

  /// Only devices of this kind are followed.
  public let kind: AttachedDevice.Kind
  /// Readable when something came or went; -1, which poll(2) passes over, where udev cannot be
  /// listened to.
  public let descriptor: Int32
  private let state: Mutex<State>

  /// Looks for nothing before the first ``takeChanges()``.
  /// - Throws: `IOFailure` where libudev cannot be used; a refused netlink is no error.
  public init(_ kind: AttachedDevice.Kind) throws(IOFailure) {
    let state = try State(kind)
    self.kind = kind
    descriptor =
      switch state.monitor {
      case .some(let monitor): monitor.descriptor
      case .none: -1
      }
    self.state = Mutex(state)
  }

  /// Takes the changes since the last call, from any thread. The first call looks for all devices,
  /// and so does each call from ``nextLook`` on, and one that finds events lost.
  @discardableResult
  public func takeChanges() -> [HotplugChange] {
    state.withLock { state in
      var changes: [HotplugChange] = []
      let now = BootClock.now()
      var looks = state.lookedAt.map { now - $0 >= lookEvery } ?? true
      taking: while true {
        switch state.take() {
        case .device(let device):
          if let event = device.event(kind) { changes += state.board.handle(event) }
        case .lost: looks = true
        case .nothing: break taking
        }
      }
      if looks {
        state.lookedAt = now
        if let devices = try? state.context.devices(kind) {
          changes += state.board.handle(.all(devices))
        }
      }
      return changes
    }
  }

  /// The latest time for the next `takeChanges()`.
  public var nextLook: Instant {
    state.withLock { $0.lookedAt.map { $0 + lookEvery } } ?? BootClock.now()
  }

  /// Without udevd no change is told. With it changes may still be missing: a container that shares
  /// the host's /run/udev hears none of its events.
  private var lookEvery: Interval {
    descriptor >= 0 && UdevContext.isServed ? .seconds(10) : .seconds(1)
  }

  /// The devices as of the last `takeChanges()`.
  public var board: HotplugTable { state.withLock { $0.board } }

  /// Looks once for the devices that are there now.
  public static func devices(_ kind: AttachedDevice.Kind) throws(IOFailure) -> [AttachedDevice] {
    try UdevContext().devices(kind)
  }
}

extension UdevDevice {
  /// Nil for a device without a node, and for an action that neither adds nor removes one.
  fileprivate func event(_ kind: AttachedDevice.Kind) -> HotplugEvent? {
    switch action {
    case "remove": .removed(systemPath: systemPath)
    case "unbind", "offline": nil
    default: plugged(kind).map { .seen($0) }
    }
  }
}

/// Receives udevd's events, which come after the rules were applied. The kernel's own events come
/// some 70 ms earlier, before links and permissions.
struct UdevMonitor: ~Copyable {
  private let handle: OpaquePointer

  /// - Throws: `IOFailure` with netlink's errno; a container may be allowed none.
  init(
    _ kind: AttachedDevice.Kind, in context: borrowing UdevContext
  ) throws(IOFailure) {
    guard let handle = udev_monitor_new_from_netlink(context.handle, "udev") else {
      throw IOFailure("listen to", errno: errno, path: "udev")
    }
    var code = udev_monitor_filter_add_match_subsystem_devtype(handle, kind.subsystem, kind.type)
    if code >= 0 { code = udev_monitor_enable_receiving(handle) }
    guard code >= 0 else {
      udev_monitor_unref(handle)
      throw IOFailure("listen to", errno: -code, path: "udev")
    }
    self.handle = handle
  }

  deinit { udev_monitor_unref(handle) }

  /// Readable when there is something to take.
  var descriptor: Int32 { udev_monitor_get_fd(handle) }

  enum Taken: ~Copyable {
    case device(UdevDevice)
    case nothing
    /// More came than the socket holds.
    case lost
  }

  /// Never waits: libudev's socket does not block.
  func take() -> Taken {
    errno = 0
    if let device = udev_monitor_receive_device(handle) {
      return .device(UdevDevice(owning: device))
    }
    return errno == ENOBUFS ? .lost : .nothing
  }
}
