import Testing

/// A rig with a bridge process: what its tests ask the bridge, whatever the keychain runs on.
protocol BridgeRig {
  static var pin: String { get }
  var bridgeTalk: Talk { get }
}

extension BridgeRig {
  /// Ends the open alarm by PIN and resumes.
  func clear() throws {
    try bridgeTalk.must(["do": "disarm", "pin": Self.pin])
    try bridgeTalk.must(["do": "resume"])
  }

  var isOpen: Bool {
    get throws {
      let status = try bridgeTalk.must(["do": "status"])["status"] as? [String: Any]
      return status?["state"] as? String != "NO_EMERGENCY"
    }
  }

  /// Event numbers of every committed press, and the incident of each.
  func presses() throws -> [(event: String, incident: String?)] {
    let rows = try #require(try bridgeTalk.must(["do": "presses"])["rows"] as? [[String: Any]])
    return try rows.map {
      (try #require($0["event"] as? String), $0["incident"] as? String)
    }
  }

  func incidents() throws -> [[String: Any]] {
    try #require(try bridgeTalk.must(["do": "incidents"])["rows"] as? [[String: Any]])
  }
}
