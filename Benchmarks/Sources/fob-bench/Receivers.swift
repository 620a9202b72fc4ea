import AlertCore
import Bridge
import CBench
import FobBase
import Glibc
import SerialIO
import Sinks
import Storage

/// Where a receiver puts its stamps: of press n at place n - 1, µs of CLOCK_BOOTTIME.
struct SharedStamps {
  /// Unchecked since it is a pointer. Mapped for good; each place is written once, by one thread.
  nonisolated(unsafe) let base: UnsafeMutablePointer<UInt64>
  let count: Int

  /// t2, where the receiver tells it apart.
  var read: UnsafeMutablePointer<UInt64> { base + count }

  init(path: String, count: Int) throws {
    guard let base = bench_shared_stamps(path, 2 * count) else {
      throw BenchFailure("cannot map \(path): \(String(cString: strerror(errno)))")
    }
    self.base = base
    self.count = count
  }

  init(_ arguments: Arguments) throws {
    try self.init(path: arguments.text("stamps"), count: arguments.number("presses"))
  }
}

/// A blocking read in C.
struct BareReceiver {
  private let line: String
  private let stamps: SharedStamps

  init(_ arguments: Arguments) throws {
    line = try arguments.text("line")
    stamps = try SharedStamps(arguments)
  }

  func run() throws {
    guard bench_receive(line, PressFrames.size, stamps.base, stamps.count) else {
      throw BenchFailure("cannot receive from \(line): \(String(cString: strerror(errno)))")
    }
  }
}

/// The whole bridge, as `fob bridge` wires it: store, log sink, one device.
struct BridgeReceiver {
  private let line: String
  private let folder: String
  private let stamps: SharedStamps

  init(_ arguments: Arguments) throws {
    line = try arguments.text("line")
    folder = try arguments.text("folder")
    stamps = try SharedStamps(arguments)
  }

  func run() throws {
    let account = Account(
      name: "Owner",
      contacts: [Contact(id: "contact-1", name: "Contact 1", address: "contact-1@example.org")])
    let bridge = try AlertBridge(
      account: account, store: try AlertStore(directory: folder),
      sinks: [try LogSink(path: folder + "/alerts.jsonl")]
    ) { [stamps] event in
      guard case .stages(let stages) = event,
        let n = stages.event.split(separator: ".").last.flatMap({ Int($0) }),
        (1...stamps.count).contains(n)
      else { return }
      stamps.read[n - 1] = UInt64(stages.read)
      stamps.base[n - 1] = UInt64(stages.decided)
    }
    try bridge.start([DeviceSpec(pty: line)])
    while true { pause() }
  }
}
