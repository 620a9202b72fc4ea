import FobBase
import Foundation
import SerialIO

/// One line with its writer, which is here, and its receiver, a process of its own.
struct PressSide {
  enum Receiver {
    /// A blocking read in C; with `appending` as many bytes made durable in a file of its own.
    case bare(appending: Int? = nil)
    /// The whole bridge; with `isKeeping` false it answers commits and makes nothing durable, with
    /// `isCounting` it says how many bytes each commit writes.
    case bridge(isKeeping: Bool = true, isCounting: Bool = false)

    var isBridge: Bool { if case .bridge = self { true } else { false } }

    fileprivate var words: [String] {
      switch self {
      case .bare(let appending): ["receive-bare"] + (appending.map { ["--append", "\($0)"] } ?? [])
      case .bridge(let isKeeping, let isCounting):
        ["receive-bridge", "--commit", isCounting ? "counted" : isKeeping ? "kept" : "not-kept"]
      }
    }
  }

  let receiver: Receiver
  let writer: PressWriter
  let process: Process
  let stamps: SharedStamps

  init(_ receiver: Receiver, presses: Int, processor: Int, folder: String) throws {
    self.receiver = receiver
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    writer = try PressWriter()
    stamps = try SharedStamps(path: folder + "/stamps", count: presses)
    process = try ChildProcess.start(
      receiver.words[0],
      receiver.words.dropFirst() + [
        "--line", writer.path, "--stamps", folder + "/stamps", "--presses", "\(presses)",
        "--folder", folder, "--processor", "\(processor)",
      ])
  }

  func awaitReady() throws {
    try writer.awaitOpening()
    guard receiver.isBridge else { return }
    let patience = BootClock.now() + .seconds(20)
    while !writer.isLinked {
      guard BootClock.now() < patience else { throw BenchFailure("the bridge does not link") }
      try writer.serve(until: BootClock.now() + .milliseconds(10))
    }
  }

  /// What the stamps of one side say.
  struct Stamped {
    let side: PressSide
    let measured: Range<Int>

    /// µs since each press was written.
    func times(to column: SharedStamps.Column) throws -> [Double] {
      try values(column) { n, stamp in
        // A stamp is of whole microseconds: on the average half a one has passed.
        Double(stamp) + 0.5 - Double(side.writer.written[n]) / 1_000
      }
    }

    func values<Value>(
      _ column: SharedStamps.Column, _ read: (Int, UInt64) -> Value
    ) throws -> [Value] {
      let stamps = side.stamps[column]
      let values = measured.compactMap { stamps[$0] == 0 ? nil : read($0, stamps[$0]) }
      guard values.count * 100 >= measured.count * 99 else {
        throw BenchFailure(
          "\(side.receiver): \(values.count) stamps of \(measured.count) presses")
      }
      return values
    }
  }
}
