import AlertCore
import FobBase
import Testing
import WireProtocol

/// R24 to R33 through the core: what keychains say, and what becomes of it with time.
struct LiveStatusTests {
  private static func linked(_ account: Account = .protecting) -> CoreBench {
    var bench = CoreBench(account)
    bench.hand(.linkUp(line, .from(keychain)))
    bench.hand(.heartbeat(line, .battery(87)))
    bench.hand(.position(line, .good(1)))
    return bench
  }

  private static func status(_ bench: CoreBench) -> CoreStatus { bench.core.status(at: bench.now) }

  private static func texts(_ bench: CoreBench) -> [String] { status(bench).lines.map(\.text) }

  @Test func `R24: linked, charged, stored and located is all good`() {
    let status = Self.status(Self.linked())
    #expect(status.overall == .good && status.summary == "All good!")
    #expect(
      status.lines.map(\.text)
        == ["USB connected", "Battery at 87%", "Connected to SafeTime", "GPS Signal Good"])
    #expect(status.devices.map(\.overall) == [.good])
  }

  @Test func `R30, R34: a keychain without a battery has no level, and is not low`() {
    var bench = CoreBench(.protecting)
    var hello = Hello.from(keychain)
    hello.capabilities = Hello.seals | Hello.hasNoBattery
    bench.hand(.linkUp(line, hello))
    bench.hand(.heartbeat(line, .battery(255)))
    bench.hand(.position(line, .good(1)))
    let status = Self.status(bench)
    #expect(status.lines[1].code == .batteryNone && status.lines[1].percent == nil)
    #expect(status.overall == .good && status.links.map(\.batteryPercent) == [nil])
    #expect(bench.happened(.batteryLow).isEmpty)
    #expect(bench.core.readings[keychain.text]?.hasBattery == false)
    bench.hand(.heartbeat(line, .battery(12)))
    #expect(Self.texts(bench)[1] == "Battery at 12%", "a level that comes all the same counts")
    #expect(bench.core.readings[keychain.text]?.hasBattery == true)
    bench.hand(.heartbeat(line, .battery(255)))
    #expect(Self.texts(bench)[1] == "Battery life unknown", "it had one a second ago")
    hello.bootNonce &+= 1
    bench.hand(.linkUp(line, hello))
    bench.hand(.heartbeat(line, .battery(255)))
    #expect(Self.texts(bench)[1] == "Battery life unknown", "a new boot has the battery of before")
  }

  @Test func `R30: an event that tells of a battery says that there is one, whatever HELLO says`() {
    for isOfBattery in [true, false] {
      var bench = CoreBench(.protecting)
      var hello = Hello.from(keychain)
      hello.capabilities = Hello.seals | Hello.hasNoBattery
      bench.hand(.linkUp(line, hello))
      bench.hand(.heartbeat(line, .battery(255)))
      #expect(Self.status(bench).lines[1].code == .batteryNone)
      var record = EventRecord.press(1, kind: isOfBattery ? .batteryCritical : .pressed)
      record.batteryPercent = isOfBattery ? 255 : 2
      bench.hand(.event(line, record, happenedAt: nil))
      #expect(Self.status(bench).lines[1].code == .batteryUnknown)
    }
  }

  @Test func `R30: a level above 100 % is none`() {
    var bench = Self.linked()
    bench.hand(.heartbeat(line, .battery(200)))
    #expect(Self.texts(bench)[1] == "Battery life unknown")
  }

  @Test func `R32: a keychain without a receiver has none, which is not off`() {
    var bench = CoreBench(.protecting)
    var hello = Hello.from(keychain)
    hello.capabilities = Hello.seals | Hello.hasNoGPS
    bench.hand(.linkUp(line, hello))
    bench.hand(.heartbeat(line, .battery(87)))
    #expect(Self.status(bench).lines[3].code == .gpsNone)
    #expect(Self.status(bench).overall == .warning)
    #expect(Self.status(bench).lines[3].advice?.contains("not told where you are") == true)
    bench.hand(.event(line, .press(1).located(52_5200000, age: 0), happenedAt: nil))
    #expect(
      Self.status(bench).lines[3].advice == "Last location recorded 0 seconds ago",
      "contacts are told the place that the press has")
    bench.hand(.position(line, .good(1)))
    #expect(Self.texts(bench)[3] == "GPS Signal Good", "a position that comes all the same counts")
    bench.hand(.linkUp(line, .from(keychain)))
    #expect(Self.status(bench).lines[3].code == .gpsOff)
  }

  @Test func `R26, R33: unplugged is an error, and the service is still there`() {
    var bench = Self.linked()
    bench.hand(.linkDown(line, reason: "unplugged"))
    #expect(Self.status(bench).summary == "Error!")
    #expect(
      Self.texts(bench)
        == ["USB not connected", "Battery life unknown", "Connected to SafeTime", "GPS unknown"])
    #expect(Self.status(bench).devices.map(\.isLinked) == [false])
    let empty = CoreBench(.protecting)
    #expect(Self.texts(empty) == Self.texts(bench))
    #expect(Self.status(empty).checked == nil, "nothing was ever checked")
  }

  @Test func `R29: a port that cannot be opened says why, until it can`() {
    var bench = CoreBench(.complete())
    for _ in 0..<3 { bench.hand(.unavailable(line, reason: "permission denied")) }
    #expect(Self.status(bench).lines[0].advice == "permission denied")
    #expect(bench.happened(.lineTrouble).count == 1)
    bench.hand(.linkUp(line, .from(keychain)))
    #expect(Self.texts(bench)[0] == "USB connected")
    bench.hand(.linkDown(line, reason: "unplugged"))
    #expect(Self.status(bench).lines[0].advice?.hasPrefix("Cannot find SafeTime device") == true)
  }

  @Test func `R31: while nothing can be stored the service is not there`() {
    var bench = Self.linked()
    bench.storeBehaviour = .failsAtOnce
    bench.press(.press(1))
    bench.perform(.silence)
    #expect(Self.status(bench).lines[2].level == .error)
    #expect(Self.texts(bench)[2] == "Not connected to SafeTime")
    #expect(Self.status(bench).summary == "Error!")
    bench.storeBehaviour = .commitsAtOnce
    bench.run(for: .seconds(2))
    #expect(Self.texts(bench)[2] == "Connected to SafeTime")
  }

  @Test func `R27, R28: the age of the last check, and of each reading`() {
    var bench = Self.linked()
    #expect(Self.status(bench).checked == "checked just now")
    bench.run(for: .minutes(3))
    #expect(Self.status(bench).checked == "checked 3 minutes ago")
    #expect(Self.status(bench).now == bench.now, "and when that was true")
    #expect(Self.status(bench).lines.map(\.age) == [180, 180, nil, 180])
    bench.hand(.heartbeat(line, .battery(80)))
    #expect(Self.status(bench).lines.map(\.age) == [0, 0, nil, 180])
    bench.run(for: .seconds(90))
    bench.hand(.refreshed)
    #expect(Self.status(bench).checked == "checked just now")
    #expect(
      Self.status(bench).lines.map(\.age) == [90, 90, nil, 270],
      "a reading that was not answered is as old as it is")
  }

  @Test func `R28, R32: a receiver that says nothing for 30 s is no longer good`() {
    var bench = Self.linked()
    bench.run(for: .milliseconds(29_999))
    #expect(Self.texts(bench)[3] == "GPS Signal Good")
    bench.run(for: .milliseconds(1))
    #expect(Self.texts(bench)[3] == "GPS disabled")
    #expect(Self.status(bench).overall == .error)
    bench.run(for: .minutes(8))
    var none = PositionFix()
    none.quality = .none
    bench.hand(.position(line, none))
    let gps = Self.status(bench).lines[3]
    #expect(gps.text == "GPS is searching" && gps.advice == "Last location recorded 8 minutes ago")
    #expect(gps.level == .warning)
  }

  @Test func `G6: low at 20, and good again only above 22`() {
    var bench = Self.linked()
    let steps: [(UInt8, StatusRow.Level)] = [
      (23, .good), (21, .good), (20, .warning), (21, .warning), (22, .warning), (23, .good),
      (22, .good), (21, .good), (20, .warning), (0, .error), (22, .warning), (100, .good),
    ]
    for (percent, level) in steps {
      bench.hand(.heartbeat(line, .battery(percent)))
      #expect(Self.status(bench).lines[1].level == level, "\(percent)")
    }
    bench.hand(.heartbeat(line, .battery(255)))
    #expect(Self.texts(bench)[1] == "Battery life unknown")
  }

  @Test func `R30: a keychain that starts anew is not read until it says something`() {
    var bench = Self.linked()
    bench.hand(.linkUp(line, .from(keychain)))
    #expect(Self.texts(bench)[1] == "Battery life unknown")
    #expect(Self.texts(bench)[3] == "GPS disabled")
  }

  @Test func `R24 to R26: of several keychains the worst counts, and a stranger's does not`() {
    var account = Account.protecting
    account.devices = [keychain.text, otherKeychain.text]
    var bench = Self.linked(account)
    #expect(Self.status(bench).overall == .error, "the other one is not linked")
    let other = LinkID(rawValue: 1)
    bench.hand(.linkUp(other, .from(otherKeychain)))
    bench.hand(.heartbeat(other, .battery(15)))
    bench.hand(.position(other, .good(1)))
    #expect(Self.status(bench).summary == "Warnings!")
    #expect(Self.texts(bench)[1] == "Battery at 15%")
    #expect(bench.change(.disconnect(otherKeychain), isProven: true) == nil)
    #expect(Self.status(bench).summary == "All good!")
    #expect(Self.status(bench).devices.map(\.isOwned) == [true, false])
  }
}

extension Heartbeat {
  static func battery(_ percent: UInt8) -> Heartbeat {
    var beat = Heartbeat()
    beat.batteryPercent = percent
    return beat
  }
}
