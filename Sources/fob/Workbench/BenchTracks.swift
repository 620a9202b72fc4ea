import Synchronization

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
