import AlertCore
import Bridge
import CBench
import FobBase
import Glibc
import SerialIO
import Sinks
import Storage
import WireProtocol

/// A blocking read in C.
struct BareReceiver {
  private let line: String
  private let folder: String
  private let appended: Int
  private let stamps: SharedStamps

  init(_ arguments: Arguments) throws {
    line = try arguments.text("line")
    folder = try arguments.text("folder")
    appended = try arguments.number("append", default: 0)
    stamps = try SharedStamps(arguments)
  }

  func run() throws {
    let file = appended > 0 ? folder + "/appended" : nil
    guard
      bench_receive(
        line, PressFrames.size, stamps[.decided], stamps.count, file, appended)
    else {
      throw BenchFailure("cannot receive from \(line): \(String(cString: strerror(errno)))")
    }
  }
}

/// The whole bridge, as `fob bridge` wires it: store, log sink, one device.
struct BridgeReceiver {
  private let line: String
  private let folder: String
  private let commit: AlertBridge.Commit
  private let stamps: SharedStamps

  init(_ arguments: Arguments) throws {
    line = try arguments.text("line")
    folder = try arguments.text("folder")
    stamps = try SharedStamps(arguments)
    switch arguments.optional("commit") {
    case "not-kept": commit = { $0.map { _ in .success(nil) } }
    case "counted": commit = Self.counted(stamps)
    default: commit = { AlertStore.commit($0) }
    }
  }

  func run() throws {
    let account = Account(
      name: "Owner",
      contacts: [Contact(id: "contact-1", name: "Contact 1", address: "contact-1@example.org")])
    let bridge = try AlertBridge(
      account: account, store: try AlertStore(directory: folder),
      sinks: [try LogSink(path: folder + "/alerts.jsonl")], commit: commit
    ) { [stamps] event in
      guard case .stages(let stages) = event,
        let n = stages.event.split(separator: ".").last.flatMap({ Int($0) }),
        (1...stamps.count).contains(n)
      else { return }
      stamps[.read][n - 1] = UInt64(stages.read)
      stamps[.decided][n - 1] = UInt64(stages.decided)
      if let durable = stages.durable { stamps[.durable][n - 1] = UInt64(durable) }
    }
    try bridge.start([DeviceSpec(pty: line)])
    while true { pause() }
  }

  private static func counted(_ stamps: SharedStamps) -> AlertBridge.Commit {
    { batches in
      let before = bench_written_by_thread()
      let ends = AlertStore.commit(batches)
      let written = bench_written_by_thread() - before
      for event in batches.flatMap(\.changes.events) {
        let n = Int(event.record.identity.number.n)
        if (1...stamps.count).contains(n) { stamps[.bytes][n - 1] = written }
      }
      return ends
    }
  }
}
