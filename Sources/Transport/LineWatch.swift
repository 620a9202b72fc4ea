import FobBase
import Glibc
public import SerialIO

/// Tells that a device may have come or gone: by the folder of its name, or by udev.
enum LineWatch: ~Copyable {
  case name(NameWatch)
  case plugs(HotplugMonitor)
  /// Nothing tells; the device is looked for each second.
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

  /// Takes all changes so far, so that the descriptor is readable only for later ones.
  func clear() {
    switch self {
    case .name(let watch): watch.clear()
    case .plugs(let watch): watch.takeChanges()
    case .none: break
    }
  }

  /// The monitor of a `tty:` or `usb:`; nil for other lines.
  var plugs: HotplugMonitor? {
    switch self {
    case .plugs(let watch): watch
    case .name: nil
    case .none: nil
    }
  }

  /// Names the present coming of the device; nil where comings cannot be told apart.
  func stamp(of spec: DeviceSpec) -> LineStamp? {
    switch spec.kind {
    // Only a pty's number may go to another owner while the link stays.
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

/// One coming of a device. A line that has hung up is not opened again on the same coming.
enum LineStamp: Equatable, Sendable {
  case link(LinkStamp)
  /// The number of a plugging, from `HotplugTable/number(of:)`.
  case plug(UInt64)

  /// Whether the line is not opened again at once on this coming. Otherwise a USB device that fails
  /// at each opening would keep the bridge busy for ever.
  func isSpent(by reason: GoneReason) -> Bool {
    switch self {
    case .link: reason == .hungUp
    case .plug: true
    }
  }
}

/// Tells one making of a symbolic link from the next; nil for a path that is no link.
///
/// The kernel gives a free pty number to the next program that asks. So a link left by a killed
/// device may lead to another program's line: it is not followed again until it is made anew, as
/// every returning device does.
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

/// Notices that a name was created or moved into place, by inotify on its folder.
struct NameWatch: ~Copyable {
  private let watch: OwnedDescriptor

  /// Nil where the user has no inotify instance left (of 128 on Debian): the name is then looked
  /// for each second.
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
    // A folder that is missing is looked for each second, like the name itself.
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

/// What a device's line asks of the system beyond what it needs to work.
public struct LineTuning: Hashable, Sendable {
  /// For the reader's thread.
  public var scheduling: ThreadScheduling
  /// Whether serial ports are asked to hand bytes on at once, where their driver can
  /// (`PortLatency`).
  public var isLowLatency: Bool

  /// Nothing beyond what the line needs.
  public static let standard = LineTuning()

  /// The defaults ask for nothing.
  public init(scheduling: ThreadScheduling = .standard, isLowLatency: Bool = false) {
    self.scheduling = scheduling
    self.isLowLatency = isLowLatency
  }
}

extension IOFailure {
  /// Of a line that cannot be opened and is tried again: what is wrong, and what to look at.
  /// Without a full stop at its end, as notices are.
  public var whileRetrying: String {
    // Closing is not tried again.
    guard operation != "close" else { return description }
    let nobodyIsThere = reason == nil && [ENOENT, ECONNREFUSED].contains(errno)
    let question = nobodyIsThere ? " Is the keychain running, and the path right?" : ""
    return "\(self).\(question) fob keeps trying"
  }
}
