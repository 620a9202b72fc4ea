import Console
import FobBase
import Synchronization
import WireProtocol

/// A bench that notes what it is asked and answers what a test told it to.
final class StandInWorkbench: Workbench {
  struct Asked: Equatable {
    var controls: [String] = []
    var runs: [String] = []
    var stops = 0
  }

  static let device = BenchCore.device.text

  let feed: BenchFeed
  private let state = Mutex(Asked())
  private let running = Mutex(false)

  init(feed: BenchFeed = BenchFeed()) { self.feed = feed }

  var asked: Asked { state.withLock { $0 } }

  func watch() -> BenchFeed { feed }

  func snapshot() -> [UInt8] {
    Array(
      #"{"now":1,"wall":2,"last":\#(feed.last),"keychains":[],"patterns":{},"lines":[]}"#.utf8)
  }

  func latency() -> [UInt8] { Array(#"{"presses":0,"since":1,"stages":[]}"#.utf8) }

  func capture(of device: String?) -> [UInt8] { Array("capture of \(device ?? "all")".utf8) }

  func control(
    _ device: String, _ request: [UInt8],
    answer: @escaping @Sendable (Result<[UInt8], WorkbenchRefusal>) -> Void
  ) {
    guard device == Self.device else { return answer(.failure(.unknown("no such keychain"))) }
    let text = String(decoding: request, as: UTF8.self)
    state.withLock { $0.controls.append(text) }
    answer(
      text.contains("press")
        ? .success(Array(#"{"event":"1.2","ok":true}"#.utf8)) : .failure(.refused("no power")))
  }

  static let label = LabelCode(PairingKey(low: 1, high: 2), of: BenchCore.device)

  func label(of device: String) throws(WorkbenchRefusal) -> LabelCode {
    guard device == Self.device else { throw .unknown("no such keychain") }
    return Self.label
  }

  func conformance() -> [UInt8] {
    let isRunning = running.withLock { $0 }
    return Array(
      (#"{"isRunning":\#(isRunning),"judged":"nothing","done":0,"total":0,"outcomes":[],"#
        + #""chapters":[]}"#).utf8)
  }

  func judge(chapters: [String], isQuick: Bool) throws(WorkbenchRefusal) {
    guard !chapters.contains("none") else { throw .invalid(field: "chapter", "no such chapter") }
    let wasRunning = running.withLock { running in
      defer { running = true }
      return running
    }
    guard !wasRunning else { throw .refused("a run goes on") }
    state.withLock { $0.runs.append("\(chapters) \(isQuick)") }
  }

  func stopJudging() {
    running.withLock { $0 = false }
    state.withLock { $0.stops += 1 }
  }

  func conformanceReport(_ form: WorkbenchReport) throws(WorkbenchRefusal) -> [UInt8] {
    guard state.withLock({ !$0.runs.isEmpty }) else { throw .unknown("nothing was judged") }
    return form == .json ? Array("{}".utf8) : Array("<testsuites/>".utf8)
  }
}
