import ArgumentParser
import Capture
import Console
import Control
import FobBase
import SerialIO
import Synchronization

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
