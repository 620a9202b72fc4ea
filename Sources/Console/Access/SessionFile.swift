import FobBase
import Foundation
import SerialIO

/// The sessions in the state folder, for its owner alone: digests of their secrets, and when they
/// end by the wall clock, since the boot clock begins anew.
struct SessionFile: Sendable {
  let path: String

  private struct Contents: Codable {
    let sessions: [Row]
  }

  private struct Row: Codable {
    let id: String
    /// SHA-256 in hexadecimal.
    let cookie: String
    let key: String
    /// The number of the account; nil: the whole core.
    let account: Int?
    /// µs since 1970.
    let expiresWall: Int64
  }

  /// Those that have not ended. A file that cannot be read has none: then each browser needs a new
  /// code.
  func read(at now: Instant) -> [Sessions.Session] {
    guard let data = try? Data(contentsOf: URL(filePath: path)),
      data.count <= ConsoleLimits.sessionFile,
      let contents = try? JSONDecoder().decode(Contents.self, from: data)
    else { return [] }
    let wall = WallClock.now()
    return contents.sessions.compactMap { row in
      guard let cookie = Hex.bytes(row.cookie), let key = Hex.bytes(row.key), cookie.count == 32,
        key.count == 32, row.expiresWall > wall
      else { return nil }
      // A clock that was set back gives nobody more time than a new session has.
      let left = min(.microseconds(row.expiresWall - wall), Sessions.lifetime)
      return Sessions.Session(
        id: row.id, cookie: cookie, key: key, account: row.account, expires: now + left)
    }
  }

  /// - Returns: false where the disk fails: a restart finds what it had before.
  func write(_ sessions: [Sessions.Session], at now: Instant) -> Bool {
    let wall = WallClock.now()
    let rows = sessions.map {
      Row(
        id: $0.id, cookie: Hex.text($0.cookie), key: Hex.text($0.key), account: $0.account,
        expiresWall: wall + ($0.expires - now).microseconds)
    }
    guard let data = try? JSONEncoder().encode(Contents(sessions: rows)) else { return false }
    return (try? PrivateFile.write(Array(data), to: path)) != nil
  }
}
