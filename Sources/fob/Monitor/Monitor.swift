import Capture
import FobBase
import Foundation
import SerialIO
import Synchronization
import WireProtocol

/// Bytes of lines in, descriptions of frames out: to the terminal, into a capture file, and into
/// the statistics.
final class Monitor: Sendable {
  struct View: Sendable {
    var text: FrameText
    var isJSON: Bool
    var filter: FrameFilter
    /// Of devices whose tags are to be checked; nil: none is.
    var keys: [DeviceID: PairingKey]?
  }

  private struct State {
    var cutters = FrameSplitters()
    var lines: [String: Int] = [:]
    var observers: [String: SealObserver] = [:]
    var statistics = FrameStatistics()
    /// Said with the next packet of the file: a capture has no place for it by itself.
    var lostChunks = 0
    var file: CaptureFile?
    var failure: IOFailure?
    var began: Instant?
    var last: Instant?
    /// What a source still brings comes too late: the statistics are the last that is said.
    var isFinished = false
  }

  private let view: View
  private let state: Mutex<State>
  /// Signalled when there is no more to come, or the file takes no more.
  let finished: EventSignal

  /// - Parameter began: what time 0 is; nil for the first frame's.
  init(_ view: View, file: sending CaptureFile?, began: Instant?) throws(IOFailure) {
    self.view = view
    state = Mutex(State(file: file, began: began, last: began))
    finished = try EventSignal()
  }

  /// Why the capture file took no more.
  var failure: IOFailure? { state.withLock { $0.failure } }

  // MARK: In

  /// - Returns: what these bytes completed.
  @discardableResult
  func heard(
    _ bytes: [UInt8], device: String, direction: Direction, at: Instant
  ) -> [FrameDescription] {
    state.withLock { state in
      guard !state.isFinished else { return [] }
      let heard = state.cutters.cut(bytes, device: device, direction: direction, at: at)
      for description in heard { take(description, device: device, comment: nil, &state) }
      return heard
    }
  }

  /// One packet of a capture file, which holds one run.
  func read(_ packet: CapturedPacket) {
    state.withLock { state in
      var cutter = FrameSplitter()
      let runs = cutter.cut(packet.bytes)
      let at = Instant(microseconds: packet.microseconds)
      for run in runs + [cutter.flush()].compactMap(\.self) {
        take(
          FrameDescription(run, at: at, direction: packet.direction), device: packet.device,
          comment: packet.comment, &state)
      }
    }
  }

  /// Chunks that the tap could not hand over: frames that they were part of look damaged.
  func lost(_ count: Int) {
    state.withLock { state in
      state.statistics.lostChunks += count
      state.lostChunks += count
    }
    say("\(count) pieces of the lines were lost on the way here: too much at once")
  }

  /// The line ended: what was begun on it will not be completed.
  func ended(device: String) {
    let now = BootClock.now()
    state.withLock { state in
      guard !state.isFinished else { return }
      flush(device, at: now, &state)
    }
  }

  // MARK: Out

  func say(_ text: String) {
    state.withLock { state in
      guard !state.isFinished else { return }
      if view.isJSON {
        try? Terminal.json(Notice(text: text))
      } else {
        Terminal.line("             \(PrintableText.of(text))")
      }
    }
  }

  /// Prints what was begun and not completed, and the statistics.
  /// - Parameter now: nil for a file, which ends with its last packet.
  func finish(at now: Instant?) {
    let (statistics, elapsed) = state.withLock { state in
      let end = now ?? state.last ?? Instant(microseconds: 0)
      for device in state.cutters.devices { flush(device, at: end, &state) }
      state.isFinished = true
      return (state.statistics, end - (state.began ?? end))
    }
    if view.isJSON {
      try? Terminal.json(StatisticsJSON(statistics: statistics, elapsed: elapsed))
    } else {
      for line in StatisticsText.lines(statistics, elapsed: elapsed) { Terminal.line(line) }
    }
  }

  private func flush(_ device: String, at: Instant, _ state: inout State) {
    for description in state.cutters.flush(device: device, at: at) {
      take(description, device: device, comment: nil, &state)
    }
  }

  private func take(
    _ description: FrameDescription, device: String, comment: String?, _ state: inout State
  ) {
    state.statistics.count(description, device: device)
    let began = state.began ?? description.at
    state.began = began
    state.last = description.at
    write(description, device: device, &state)
    let seal = verdict(description, device: device, &state)
    guard view.filter.shows(description) else { return }
    if view.isJSON {
      try? Terminal.json(
        FrameJSON(description: description, device: device, seal: seal, comment: comment))
      return
    }
    let number = number(of: device, &state)
    let line = state.lines.count > 1 ? number : nil
    for text in view.text.lines(
      description, since: began, line: line, seal: seal, comment: comment)
    {
      Terminal.line(text)
    }
  }

  /// What the frame's tag says, where keys are given.
  private func verdict(
    _ description: FrameDescription, device: String, _ state: inout State
  ) -> SealObserver.Verdict? {
    guard let keys = view.keys else { return nil }
    return state.observers[device, default: SealObserver(keys)]
      .judge(description.wire, isToHost: description.direction == .toHost)
  }

  private func number(of device: String, _ state: inout State) -> Int {
    if let number = state.lines[device] { return number }
    let number = state.lines.count + 1
    state.lines[device] = number
    Terminal.line("             line \(number) is \(PrintableText.of(device))")
    return number
  }

  private func write(_ description: FrameDescription, device: String, _ state: inout State) {
    guard let file = state.file else { return }
    let lost = state.lostChunks
    state.lostChunks = 0
    do throws(IOFailure) {
      try file.append(description, device: device, lost: lost)
    } catch {
      state.failure = error
      state.file = nil
      finished.signal()
    }
  }

  private struct Notice: Encodable {
    let kind = "notice"
    let text: String
  }
}

/// The statistics at the end of `fob monitor`, as a table.
enum StatisticsText {
  static func lines(_ statistics: FrameStatistics, elapsed: Interval) -> [String] {
    var rows: [(String, FrameStatistics.Count)] = statistics.frames.map { ($0.name, $0.count) }
    rows.append(("all frames", sum(statistics)))
    rows.append(("damaged", statistics.damaged))
    rows.append(("missing by seq", statistics.missing))
    rows.append(("RESENT", statistics.resent))
    var lines = ["", row("", "D→H", "H→D")]
    lines += rows.map { row($0, "\($1.toHost)", "\($1.toDevice)") }
    if statistics.lostChunks > 0 {
      lines.append(
        "lost on the way here: \(statistics.lostChunks) pieces, which damage frames above")
    }
    lines.append("in \(DecimalText.of(elapsed.microseconds, places: 6)) s")
    return lines
  }

  static func sum(_ statistics: FrameStatistics) -> FrameStatistics.Count {
    statistics.frames.reduce(into: FrameStatistics.Count()) { sum, row in
      sum.toHost += row.count.toHost
      sum.toDevice += row.count.toDevice
    }
  }

  private static func row(_ name: String, _ toHost: String, _ toDevice: String) -> String {
    StageTable.pad(name, 16) + right(toHost, 8) + right(toDevice, 8)
  }

  private static func right(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(1, width - text.count)) + text
  }
}

/// The same as one object, the last line of `--json`.
struct StatisticsJSON: Encodable {
  private struct Count: Encodable {
    let host: Int
    let device: Int

    init(_ count: FrameStatistics.Count) {
      host = count.toHost
      device = count.toDevice
    }
  }

  private let kind = "statistics"
  private let frames: [String: Count]
  private let damaged: Count
  private let missing: Count
  private let resent: Count
  private let lost: Int
  private let microseconds: Int64

  init(statistics: FrameStatistics, elapsed: Interval) {
    frames = Dictionary(uniqueKeysWithValues: statistics.frames.map { ($0.name, Count($0.count)) })
    damaged = Count(statistics.damaged)
    missing = Count(statistics.missing)
    resent = Count(statistics.resent)
    lost = statistics.lostChunks
    microseconds = elapsed.microseconds
  }
}
