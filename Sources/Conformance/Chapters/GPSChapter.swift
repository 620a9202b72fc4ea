import FobBase
import WireProtocol

/// Cases of position, its quality and its age: PROTOCOL.md, 10.
enum GPSChapter {
  /// The firmware has the receiver's bytes within this time.
  private static let reading = Interval.milliseconds(500)

  static let cases = [
    ConformanceCase(
      .gps, "present-or-not", "10", "a device that says it has no GPS receiver tells no fix"
    ) { talk in
      guard talk.device.capabilities & Hello.hasNoGPS != 0 else { return }
      try talk.wait(.milliseconds(2_500))
      try talk.check(!talk.heard.contains { $0.isA(.gpsFix) }, "it says NO_GPS, and sends GPS_FIX")
    },
    ConformanceCase(
      .gps, "fix", "10", needs: [.gps], "a new fix is told, with place, quality and time"
    ) { talk in
      try lose(talk)
      try talk.perform(.gps(Sentences.fix()))
      let first = try talk.expect(PositionFix.self, "GPS_FIX good", within: reading) {
        $0.quality == .good
      }.value
      try check(talk, first.latitude, first.longitude)
      try talk.check(first.satellites, is: 9, "its satellites")
      // The date comes after the first GGA, so the time is known with the next one.
      try talk.wait(.milliseconds(1_000))
      try talk.perform(.gps(Sentences.fix(second: 1)))
      _ = try talk.expect(PositionFix.self, "GPS_FIX with the time", within: reading) {
        (1_748_779_200...1_748_779_202).contains($0.utc)
      }
    },
    ConformanceCase(
      .gps, "signs", "3", needs: [.gps], "south and west are negative"
    ) { talk in
      try lose(talk)
      try talk.perform(.gps(Sentences.farFix()))
      let fix = try talk.expect(PositionFix.self, "GPS_FIX", within: reading) {
        $0.quality == .good
      }.value
      try talk.check(
        abs(fix.latitude + 338_500_000) <= 20 && abs(fix.longitude - 1_512_100_000) <= 20,
        "it is at \(fix.latitude), \(fix.longitude), not at -338500000, 1512100000")
    },
    ConformanceCase(
      .gps, "in-a-press", "3", needs: [.gps, .button], "a press carries the fix and its age"
    ) { talk in
      try lose(talk)
      try talk.perform(.gps(Sentences.fix()))
      let fix = try talk.expect(PositionFix.self, "GPS_FIX good", within: reading) {
        $0.quality == .good
      }.value
      try talk.wait(.milliseconds(1_500))
      try talk.press()
      let press = try talk.expectEvent(.pressed).value
      try talk.check(press.position.quality, is: .good, "its quality")
      try check(talk, press.position.latitude, press.position.longitude)
      // The age counts to the first edge or to the commit. Sentences behind the one that was told
      // may have confirmed the fix: at 9600 baud an epoch takes a quarter of a second.
      let atEdge = Int64(press.identity.clock - fix.clock) / 1_000
      let atCommit = atEdge + Int64(press.commitDelta) / 1_000
      try talk.check(
        (atEdge - 250...atCommit + 30).contains(Int64(press.position.age)),
        "fix_age is \(press.position.age) ms, and by the device's stamps \(atEdge) to \(atCommit)")
      try talk.wait(.milliseconds(150))
    },
    ConformanceCase(
      .gps, "never-a-fix", "3", needs: [.gps, .reset, .button],
      "without any fix since boot a press says so"
    ) { talk in
      try talk.perform(.gps(Sentences.noFix()))
      try talk.wait(reading)
      try talk.reset()
      try talk.press()
      let press = try talk.expectEvent(.pressed).value
      try talk.check(press.position.quality, is: .none, "its quality")
      try talk.check(press.position.age, is: .max, "its fix_age")
      try talk.wait(.milliseconds(150))
    },
    ConformanceCase(
      .gps, "lost", "10", needs: [.gps], "the loss of the fix is told at once"
    ) { talk in
      try lose(talk)
      try talk.perform(.gps(Sentences.fix()))
      _ = try talk.expect(PositionFix.self, "GPS_FIX good", within: reading) {
        $0.quality == .good
      }
      try talk.perform(.gps(Sentences.noFix()))
      _ = try talk.expect(PositionFix.self, "GPS_FIX none", within: reading) {
        $0.quality == .none
      }
    },
    ConformanceCase(
      .gps, "searching", "10", needs: [.gps, .reset],
      "a receiver that has no fix yet is told, and told again while it is heard"
    ) { talk in
      try talk.reset()
      let first = talk.heard.count
      for _ in 0..<13 {
        try talk.perform(.gps(Sentences.noFix()))
        try talk.wait(.milliseconds(1_000))
      }
      let told = talk.heard[first...].compactMap { $0.read(PositionFix.self) }
      try talk.check(
        (2...3).contains(told.count) && told.allSatisfy { $0.quality == .none },
        "GPS_FIX came \(told.count) times, not twice with quality none")
    },
    ConformanceCase(
      .gps, "silence", "10", needs: [.gps], "a receiver that falls silent has no good fix for long"
    ) { talk in
      try lose(talk)
      try talk.perform(.gps(Sentences.fix()))
      _ = try talk.expect(PositionFix.self, "GPS_FIX good", within: reading) {
        $0.quality == .good
      }
      _ = try talk.expect(PositionFix.self, "GPS_FIX none", within: .seconds(9)) {
        $0.quality == .none
      }
    },
    ConformanceCase(
      .gps, "checksum", "10", needs: [.gps], "a sentence with a wrong checksum is not believed"
    ) { talk in
      try lose(talk)
      try talk.perform(.gps(Sentences.damaged(Sentences.farFix())))
      try talk.expectNone(PositionFix.self, "GPS_FIX good", for: .milliseconds(1_300)) {
        $0.quality != .none
      }
    },
    ConformanceCase(
      .gps, "roll-over", "3", needs: [.gps],
      "a date that is 1024 weeks back takes nothing from the fix"
    ) { talk in
      try lose(talk)
      for second in 0..<3 {
        try talk.perform(.gps(Sentences.fix(second: second, date: "161005")))
        let fix = try talk.expect(PositionFix.self, "GPS_FIX good", within: reading) {
          $0.quality == .good
        }.value
        try check(talk, fix.latitude, fix.longitude)
        // The device passes on the receiver's date or none, and the host judges it by its own
        // clock. The date comes behind the first place.
        try talk.check(
          second == 0 || fix.utc == 0 || (1_129_464_000...1_129_464_010).contains(fix.utc),
          "its utc is \(fix.utc), which the receiver has not said")
        try talk.wait(.milliseconds(1_100))
      }
    },
    ConformanceCase(
      .gps, "once-a-second", "10", needs: [.gps], "fixes five times a second are told once"
    ) { talk in
      try lose(talk)
      let first = talk.heard.count
      let began = talk.rig.now
      for index in 0..<15 {
        try talk.perform(.gps(Sentences.fix(second: index / 5)))
        try talk.wait(.milliseconds(200))
      }
      let told = talk.heard[first...].filter { $0.isA(.gpsFix) }.count
      let passed = talk.rig.now - began
      try talk.check(
        (2...Int(passed.microseconds / 950_000) + 1).contains(told),
        "in \(passed.text) GPS_FIX came \(told) times")
    },
    ConformanceCase(
      .gps, "press-in-noise", "10", needs: [.gps, .button],
      "a receiver that talks nonsense delays no press"
    ) { talk in
      for _ in 0..<8 {
        let noise = (0..<500).map { _ in UInt8.random(in: 0...255, using: &talk.random) }
        try talk.perform(.gps(noise))
      }
      try talk.press()
      _ = try talk.expectEvent(.pressed, within: .milliseconds(100))
      try talk.wait(.milliseconds(150))
    },
  ]

  private static func lose(_ talk: Conversation) throws {
    try talk.perform(.gps(Array("\r\n".utf8) + Sentences.noFix()))
    try talk.wait(.milliseconds(1_200))
  }

  private static func check(
    _ talk: Conversation, _ latitude: Int32, _ longitude: Int32
  ) throws {
    try talk.check(
      abs(latitude - Sentences.latitude) <= 20 && abs(longitude - Sentences.longitude) <= 20,
      "it is at \(latitude), \(longitude), not at \(Sentences.latitude), \(Sentences.longitude)")
  }
}

/// Sentences of a GPS receiver, with their checksums.
enum Sentences {
  /// 51.4778 north, 0.0015 west, 1e-7 degree.
  static let latitude: Int32 = 514_778_000
  static let longitude: Int32 = -15_000

  /// A position, `second` seconds (0 to 59) after 12:00 UTC. The default date is 1 June 2025.
  static func fix(second: Int = 0, date: String = "010625") -> [UInt8] {
    let time = "1200\(second < 10 ? "0" : "")\(second).00"
    return line("GPGGA,\(time),5128.66800,N,00000.09000,W,1,09,0.90,46.0,M,47.0,M,,")
      + line("GPRMC,\(time),A,5128.66800,N,00000.09000,W,0.0,0.0,\(date),,,A")
  }

  /// In the south and the east.
  static func farFix() -> [UInt8] {
    line("GPGGA,120000.00,3351.00000,S,15112.60000,E,1,09,0.90,10.0,M,20.0,M,,")
      + line("GPRMC,120000.00,A,3351.00000,S,15112.60000,E,0.0,0.0,010625,,,A")
  }

  static func noFix() -> [UInt8] {
    line("GPGGA,120000.00,,,,,0,00,99.99,,,,,,") + line("GPRMC,120000.00,V,,,,,,,010625,,,N")
  }

  /// Puts `$`, the checksum and the line's end round the fields.
  static func line(_ fields: String, checksumError: UInt8 = 0) -> [UInt8] {
    let sum = fields.utf8.reduce(0 as UInt8, ^) ^ checksumError
    let digits = String(sum, radix: 16, uppercase: true)
    return Array("$\(fields)*\(digits.count < 2 ? "0" : "")\(digits)\r\n".utf8)
  }

  /// The same sentences, each with a checksum that is wrong by one bit.
  static func damaged(_ sentences: [UInt8]) -> [UInt8] {
    sentences.split(separator: UInt8(ascii: "\n")).flatMap { line -> [UInt8] in
      let fields = line.dropFirst().prefix { $0 != UInt8(ascii: "*") }
      return Self.line(String(decoding: fields, as: UTF8.self), checksumError: 1)
    }
  }
}
