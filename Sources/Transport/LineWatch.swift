import SerialIO

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
