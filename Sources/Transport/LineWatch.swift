import FobBase
import Glibc
public import SerialIO

/// What tells that a device may have come or gone: the folder of its name, or udev.
enum LineWatch: ~Copyable {
  case name(NameWatch)
  case plugs(HotplugMonitor)
  /// It is asked for each second.
  case none

  init(_ spec: DeviceSpec) throws(IOFailure) {
    switch spec.kind {
    case .pty(let path), .serial(let path, _):
      if let watch = try NameWatch(path: path) { self = .name(watch) } else { self = .none }
    case .tty: self = .plugs(try HotplugMonitor(.port))
    case .usb: self = .plugs(try HotplugMonitor(.device))
    case .unix, .tcp, .memory: self = .none
    }
  }

  /// Readable when something has changed; -1, which poll(2) passes over, where nothing tells.
  var descriptor: Int32 {
    switch self {
    case .name(let watch): watch.descriptor
    case .plugs(let watch): watch.descriptor
    case .none: -1
    }
  }

  /// Takes what has happened, so that the descriptor is readable again only for what comes.
  func clear() {
    switch self {
    case .name(let watch): watch.clear()
    case .plugs(let watch): watch.takeChanges()
    case .none: break
    }
  }

  /// What udev shows, where the device is one of its own.
  var plugs: HotplugMonitor? {
    switch self {
    case .plugs(let watch): watch
    case .name: nil
    case .none: nil
    }
  }

  /// Which coming of the device the line would be opened on; nil where that cannot be told.
  func stamp(of spec: DeviceSpec) -> LineStamp? {
    switch spec.kind {
    // Of a pty alone: only those numbers are given away again under a link that stays.
    case .pty(let path): return LinkStamp(path: path).map { .link($0) }
    case .tty(let address), .usb(let address):
      guard let board = plugs?.board, let device = try? board.only(address),
        let number = board.number(of: device)
      else { return nil }
      return .plug(number)
    case .serial, .unix, .tcp, .memory: return nil
    }
  }
}

/// One coming of a device. What has hung up is not opened again by the same.
enum LineStamp: Equatable, Sendable {
  case link(LinkStamp)
  /// The board's number of a plugging.
  case plug(UInt64)

  /// Whether the same coming is not opened again at once. A USB device that fails each time it is
  /// opened would otherwise keep the bridge busy for ever.
  func isSpent(by reason: GoneReason) -> Bool {
    switch self {
    case .link: reason == .hungUp
    case .plug: true
    }
  }
}

/// Which making of a symbolic link this is; nil for what is none.
///
/// The kernel gives a pty's number to the next who asks. A link that a killed device left behind
/// may so lead to somebody else's line: it is not followed again until it has been made anew, as
/// every device that returns does.
struct LinkStamp: Equatable, Sendable {
  private let inode: UInt64
  private let seconds: Int
  private let nanoseconds: Int

  init?(path: String) {
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK else { return nil }
    inode = UInt64(status.st_ino)
    seconds = status.st_ctim.tv_sec
    nanoseconds = status.st_ctim.tv_nsec
  }
}

/// Notices that a name has come into being or was moved into place: inotify on its folder.
struct NameWatch: ~Copyable {
  private let watch: OwnedDescriptor

  /// Nil where the user has no inotify left (of 128 on Debian): the name is asked for each second.
  init?(path: String) throws(IOFailure) {
    let folder = path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) }
    let number: Int32
    do {
      number = try Syscall.run("watch", path) {
        inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
      }
    } catch {
      if error.errno == EMFILE { return nil }
      throw error
    }
    watch = OwnedDescriptor(owning: number, path: path)
    // A folder that is not there yet is asked for each second like the name itself.
    _ = inotify_add_watch(number, folder ?? ".", UInt32(IN_CREATE | IN_MOVED_TO | IN_ATTRIB))
  }

  /// Readable when something in the folder has changed.
  var descriptor: Int32 { watch.number }

  func clear() {
    withUnsafeTemporaryAllocation(byteCount: 4_096, alignment: 8) { buffer in
      while let count = try? watch.read(into: buffer), count > 0 {}
    }
  }
}

/// What is asked of the system for a device's line, beside what it needs to work.
public struct LineTuning: Hashable, Sendable {
  /// Of its reader's thread.
  public var scheduling: ThreadScheduling
  /// Serial ports hand bytes on at once, where their driver can (`PortLatency`).
  public var isLowLatency: Bool

  public static let standard = LineTuning()

  public init(scheduling: ThreadScheduling = .standard, isLowLatency: Bool = false) {
    self.scheduling = scheduling
    self.isLowLatency = isLowLatency
  }
}
