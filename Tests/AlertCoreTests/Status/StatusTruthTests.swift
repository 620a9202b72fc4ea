import AlertCore
import FobBase
import Testing

/// R24 to R26 and R29 to R33: the truth table over link, battery, service and GPS, word by word.
struct StatusTruthTests {
  private static let links: [StatusReadings.Link] = [.up, .down, .closed("permission denied")]
  private static let batteries: [UInt8?] = [nil, 0, 1, 14, 19, 20, 21, 22, 23, 87, 100]
  private static let services: [String?] = [nil, "disk full"]
  private static let gps: [StatusReadings.GPS] = [
    .good, .weak, .searching, .silent, .notAllowed,
  ]
  private static let located: [Interval?] = [nil, .minutes(8)]

  private static var all: [StatusReadings] {
    links.flatMap { link in
      batteries.flatMap { battery in
        services.flatMap { service in
          gps.flatMap { gps in
            located.map {
              StatusReadings(
                link: link, battery: battery, serviceTrouble: service, gps: gps, sinceLocated: $0)
            }
          }
        }
      }
    }
  }

  @Test func `R24 to R26: all good needs all four, error beats warning`() {
    var seen: [StatusRow.Level: Int] = [:]
    for readings in Self.all {
      let isUnlocated = readings.gps == .searching && readings.sinceLocated == nil
      let isError =
        readings.link != .up || readings.battery == 0 || readings.serviceTrouble != nil
        || readings.gps == .silent || isUnlocated
      let isGood =
        readings.link == .up && readings.serviceTrouble == nil && readings.gps == .good
        && (readings.battery ?? 0) > 20
      let expected: StatusRow.Level = isError ? .error : isGood ? .good : .warning
      #expect(readings.overall == expected, "\(readings)")
      seen[expected, default: 0] += 1
    }
    #expect(seen.count == 3 && seen.values.reduce(0, +) == 3 * 11 * 2 * 5 * 2)
    #expect(
      StatusRow.Level.allCases.map(\.summary) == ["All good!", "Warnings!", "Error!"])
  }

  @Test func `R33: each line is made from its own reading, and three know whether there is a link`()
  {
    let good = StatusReadings(link: .up, battery: 87, gps: .good).lines
    for readings in Self.all {
      let lines = readings.lines
      #expect(lines.map(\.kind) == [.link, .battery, .service, .gps])
      func alone(_ change: (inout StatusReadings) -> Void, _ line: Int) -> StatusRow {
        var other = StatusReadings(link: readings.link, battery: 87, gps: .good)
        change(&other)
        return other.lines[line]
      }
      #expect(lines[0] == alone({ _ in }, 0))
      #expect(lines[1] == alone({ $0.battery = readings.battery }, 1))
      #expect(lines[2] == alone({ $0.serviceTrouble = readings.serviceTrouble }, 2))
      #expect(
        lines[3]
          == alone(
            {
              $0.gps = readings.gps
              $0.sinceLocated = readings.sinceLocated
            }, 3))
      if readings.serviceTrouble == nil { #expect(lines[2] == good[2], "whatever the rest is") }
    }
  }

  private func words(_ line: Int, _ readings: StatusReadings) -> [String?] {
    [readings.lines[line].text, readings.lines[line].advice]
  }

  @Test func `R29: the link's words and cause`() {
    func words(_ link: StatusReadings.Link) -> [String?] {
      self.words(0, StatusReadings(link: link, battery: 87, gps: .good))
    }
    #expect(words(.up) == ["USB connected", nil])
    #expect(
      words(.down) == [
        "USB not connected",
        "Cannot find SafeTime device. Make sure your device is on and the light is flashing",
      ])
    #expect(words(.closed("permission denied")) == ["USB not connected", "permission denied"])
  }

  @Test(arguments: UInt8(0)...100)
  func `R30, G6: the battery's words, from 100 to 0`(_ percent: UInt8) {
    for isLow in [false, true] {
      let line = StatusReadings(link: .up, battery: percent, isBatteryLow: isLow, gps: .good)
        .lines[1]
      #expect(line.text == "Battery at \(percent)%")
      switch percent {
      case 0:
        #expect(line.level == .error && line.advice == "Charge your SafeTime device now")
      case 1...20:
        #expect(line.level == .warning && line.advice == "Charge your SafeTime device soon")
      default:
        #expect(line.level == (isLow ? .warning : .good))
        #expect(line.advice == (isLow ? "Charge your SafeTime device soon" : nil))
      }
    }
  }

  @Test func `R30: a battery that nobody can read is unknown`() {
    for link in Self.links.dropFirst() {
      for battery in Self.batteries {
        let readings = StatusReadings(link: link, battery: battery, gps: .good)
        #expect(words(1, readings) == ["Battery life unknown", "No SafeTime device connected"])
      }
    }
    let unread = StatusReadings(link: .up, battery: nil, gps: .good)
    #expect(words(1, unread) == ["Battery life unknown", nil])
    #expect(unread.overall == .warning)
  }

  @Test func `R31: the service's words`() {
    var readings = StatusReadings(link: .down, battery: nil, gps: .silent)
    #expect(words(2, readings) == ["Connected to SafeTime", nil])
    readings.serviceTrouble = "disk full"
    #expect(words(2, readings) == ["Not connected to SafeTime", "disk full"])
  }

  @Test func `R32: the words of GPS`() {
    func words(_ gps: StatusReadings.GPS, _ located: Interval?) -> [String?] {
      self.words(
        3, StatusReadings(link: .up, battery: 87, gps: gps, sinceLocated: located))
    }
    let last = "Last location recorded 8 minutes ago"
    #expect(words(.good, .zero) == ["GPS Signal Good", nil])
    #expect(words(.weak, .minutes(8)) == ["GPS Signal Weak", last])
    #expect(words(.searching, .minutes(8)) == ["GPS is searching", last])
    #expect(
      words(.searching, nil) == ["GPS is searching", "Take the device where it sees the sky"])
    #expect(
      words(.notAllowed, .minutes(8))
        == [
          "Position not used", "Contacts are not told where you are. Allow it in the settings",
        ])
    #expect(
      words(.silent, .minutes(8))
        == ["GPS disabled", "Switch GPS on in the settings of the SafeTime device"])
  }

  @Test(
    arguments: [
      (-5, "0 seconds"), (0, "0 seconds"), (1, "1 second"), (59, "59 seconds"), (60, "1 minute"),
      (119, "1 minute"), (180, "3 minutes"), (3_599, "59 minutes"), (3_600, "1 hour"),
      (86_399, "23 hours"), (86_400, "1 day"), (172_800, "2 days"),
    ] as [(Int64, String)])
  func `R27: an age in words`(_ seconds: Int64, _ words: String) {
    #expect(Age.words(.seconds(seconds)) == words)
    let isNow = seconds < 1
    #expect(
      Age.checked(.seconds(seconds)) == (isNow ? "checked just now" : "checked \(words) ago"))
  }
}
