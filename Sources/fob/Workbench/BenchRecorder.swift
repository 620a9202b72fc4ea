import AlertCore
import ArgumentParser
import Bridge
import Capture
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
    case .auditEvent, .otherAuditEvent: break
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

/// Where each keychain has been while the bench was watched, the last fixes.
final class BenchTracks: Sendable {
  static let maxFixes = 1_024
  static let maxDevices = 64

  private let tracks = Mutex<[String: [BenchLines.Located]]>([:])

  /// A fix of no quality is of no place.
  func add(_ located: BenchLines.Located) {
    guard located.quality != "none" else { return }
    tracks.withLock { tracks in
      guard tracks[located.device] != nil || tracks.count < Self.maxDevices else { return }
      tracks[located.device, default: []].append(located)
      let more = tracks[located.device]!.count - Self.maxFixes
      if more > 0 { tracks[located.device]!.removeFirst(more) }
    }
  }

  func track(of device: String) -> BenchSnapshot.Track? {
    tracks.withLock { $0[device] }.map { BenchSnapshot.Track(fixes: $0) }
  }
}

/// What the tap brings: kept for a capture, and decoded for as long as somebody wants frames.
final class WireListener: Sendable {
  /// So long is decoded on when the last client has gone, which may come again.
  private static let patience = Interval.seconds(30)

  private struct State {
    var ring = WireRing()
    var names: LineNames
    var cutters: FrameSplitters?
    var wantedAt = Instant(microseconds: 0)
    var lost = 0
  }

  private let state: Mutex<State>

  init(_ names: LineNames) { state = Mutex(State(names: names)) }

  /// - Returns: the frames to be told, in order; and whether from here on none will be.
  func take(
    _ chunks: [TapChunk], lost: Int, wantsFrames: Bool
  ) -> (frames: [FrameJSON], pauses: Bool) {
    state.withLock { state in
      let now = BootClock.now()
      if wantsFrames { state.wantedAt = now }
      let decodes = wantsFrames || state.cutters != nil && now - state.wantedAt < Self.patience
      let pauses = !decodes && state.cutters != nil
      if !decodes { state.cutters = nil }
      var frames: [FrameJSON] = []
      for chunk in chunks {
        let piece = WireRing.Piece(
          chunk: chunk, keychain: state.names.keychain(on: chunk.device), lost: state.lost)
        state.lost = 0
        state.ring.append(piece)
        if decodes { frames += Self.frames(of: piece, &state) }
      }
      state.lost += lost
      return (frames, pauses)
    }
  }

  func capture(of device: String?) -> [UInt8] {
    let ring = state.withLock { $0.ring }
    return ring.capture(of: device, application: "fob \(Fob.configuration.version)")
  }

  private static func frames(of piece: WireRing.Piece, _ state: inout State) -> [FrameJSON] {
    var cutters = state.cutters.take() ?? FrameSplitters(skipsBeginning: true)
    defer { state.cutters = cutters }
    return cutters.cut(
      piece.chunk.bytes, device: piece.chunk.device, direction: piece.direction, at: piece.at
    ).map {
      FrameJSON(
        description: $0, device: piece.chunk.device, keychain: piece.keychain, comment: nil)
    }
  }
}

/// What went over the lines last, as it went, within a bound of bytes.
struct WireRing {
  struct Piece {
    let chunk: TapChunk
    /// Of the keychain on the line, where it was known by then.
    let keychain: String?
    /// Pieces that were lost before this one.
    let lost: Int

    /// With what holding it costs.
    var size: Int { chunk.bytes.count + 128 }
    var direction: Direction { chunk.to == .host ? .toHost : .toDevice }
    var at: Instant { Instant(microseconds: chunk.at) }
  }

  private let maxBytes: Int
  private var pieces: [Piece] = []
  private var head = 0
  private var bytes = 0

  init(maxBytes: Int = 4 << 20) { self.maxBytes = maxBytes }

  mutating func append(_ piece: Piece) {
    pieces.append(piece)
    bytes += piece.size
    while bytes > maxBytes {
      bytes -= pieces[head].size
      head += 1
    }
    // Taken out together, so that each costs little.
    if head >= 256, head * 2 >= pieces.count {
      pieces.removeFirst(head)
      head = 0
    }
  }

  /// As a pcapng file.
  /// - Parameter device: what concerns this keychain or this line alone; nil: all.
  func capture(of device: String?, application: String) -> [UInt8] {
    let kept = pieces[head...]
    // What a line brought before its keychain was known is that keychain's, too.
    let lines = Set(kept.filter { $0.keychain == device }.map(\.chunk.device))
    let wallOffset = WallClock.now() - BootClock.now().microseconds
    var cutters = FrameSplitters(skipsBeginning: true)
    var writer = PcapngWriter()
    var file = writer.begin(application: application)
    var lost = 0
    for piece in kept {
      let name = piece.chunk.device
      lost += piece.lost
      guard
        device == nil || device == name || piece.keychain == device
          || piece.keychain == nil && lines.contains(name)
      else { continue }
      for description in cutters.cut(
        piece.chunk.bytes, device: name, direction: piece.direction, at: piece.at)
      {
        file +=
          writer.append(
            CapturedPacket(description, device: name, wallOffset: wallOffset, lost: lost)) ?? []
        lost = 0
      }
    }
    return file
  }
}
