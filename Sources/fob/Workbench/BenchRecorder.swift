import AlertCore
import Bridge
import Console
import Control
import Emulator
import FobBase
import SerialIO
import Synchronization

/// Writes down what happens on the bench, on a thread of its own: whoever tells it only puts it
/// into a bounded queue, and until somebody looks not even that.
final class BenchRecorder: Sendable {
  private static let queued = 8_192

  let feed = BenchFeed()
  let tracks = BenchTracks()
  let wire: WireListener
  private let news: BoundedQueue<BenchUpdate>
  private let isOpen = Atomic(false)
  private let lost = Atomic(0)
  private let thread = Mutex<BlockingThread?>(nil)

  init(_ names: LineNames) throws(IOFailure) {
    wire = WireListener(names)
    news = try BoundedQueue(limit: Self.queued)
  }

  /// From now on what is told is written down.
  /// - Returns: false where that was so already.
  func open() throws(IOFailure) -> Bool {
    try thread.withLock { (thread) throws(IOFailure) in
      guard thread == nil else { return false }
      thread = try BlockingThread(name: "bench") { [self] in run() }
      isOpen.store(true, ordering: .relaxed)
      return true
    }
  }

  func close() {
    isOpen.store(false, ordering: .relaxed)
    news.close()
    _ = thread.withLock { $0 }?.join(within: .milliseconds(500))
  }

  /// Never waits.
  func tell(_ told: @autoclosure () -> BenchUpdate) {
    guard isOpen.load(ordering: .relaxed) else { return }
    if !news.put(told()) { lost.add(1, ordering: .relaxed) }
  }

  private func run() {
    // Behind everything else of this process, a press above all.
    BlockingThread.runLater()
    var taken: [BenchUpdate] = []
    while news.take(into: &taken) {
      for told in taken { write(told) }
      let lost = lost.exchange(0, ordering: .relaxed)
      if lost > 0 { feed.put("gap", json: "{\"lost\":\(lost)}") }
    }
  }

  private func write(_ told: BenchUpdate) {
    switch told {
    case .bridge(let event, let at): write(event, at: at)
    case .keychain(let device, let event) where event.name == .light:
      put("light", BenchLines.Light(device: device, at: event.at, led: event.led ?? false))
    case .keychain(let device, let event):
      put("keychain", BenchLines.OfKeychain(device: device, event: event))
    case .conformance(let progress): put("conformance", progress)
    case .wire(let chunks, let lost): write(chunks, lost: lost)
    }
  }

  private func write(_ chunks: [TapChunk], lost: Int) {
    let (frames, pauses) = wire.take(chunks, lost: lost, wantsFrames: feed.wantsFrames)
    for frame in frames { put("frame", frame, isFrame: true) }
    if lost > 0 { feed.put("gap", json: "{\"lost\":\(lost)}", isFrame: true) }
    // For a client that comes again later and asks for what was between.
    if pauses { feed.put("gap", json: "{\"lost\":0}", isFrame: true) }
  }

  private func write(_ event: BridgeEvent, at: Instant) {
    switch event {
    // The log, which has a stream of its own.
    case .auditEvent: break
    case .notice(let notice): put("notice", notice)
    case .stages(let stages): put("stages", stages)
    case .led(let device, let light):
      put(
        "shown",
        BenchLines.Shown(
          device: device, at: at.microseconds, shown: light.shown.map { "\($0)" },
          sounder: light.sounder))
    case .located(let device, let fix):
      let located = BenchLines.Located(device, fix, at: at)
      tracks.add(located)
      put("located", located)
    }
  }

  private func put(_ name: String, _ value: some Encodable, isFrame: Bool = false) {
    guard let json = try? JSONLine.encode(value) else { return }
    feed.put(name, json: String(decoding: json, as: UTF8.self), isFrame: isFrame)
  }
}
