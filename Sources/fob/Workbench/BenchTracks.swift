import Synchronization

/// Where each keychain has been while the bench was watched, the last fixes.
final class BenchTracks: Sendable {
  static let mostFixes = 1_024
  static let mostDevices = 64

  private let tracks = Mutex<[String: [BenchLines.Located]]>([:])

  /// A fix of no quality is of no place.
  func add(_ located: BenchLines.Located) {
    guard located.quality != "none" else { return }
    tracks.withLock { tracks in
      guard tracks[located.device] != nil || tracks.count < Self.mostDevices else { return }
      tracks[located.device, default: []].append(located)
      let more = tracks[located.device]!.count - Self.mostFixes
      if more > 0 { tracks[located.device]!.removeFirst(more) }
    }
  }

  func track(of device: String) -> BenchSnapshot.Track? {
    tracks.withLock { $0[device] }.map { BenchSnapshot.Track(fixes: $0) }
  }
}
