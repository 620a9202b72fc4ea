import AlertCore
import Bridge
import Foundation
import TestSupport
import Testing
import WireProtocol

@testable import fob

/// The full-screen view of `fob run`, without a terminal.
@Suite struct RunScreenTests {
  private static let sizes = [
    (80, 24), (40, 10), (20, 5), (200, 60), (1, 1), (2, 2), (23, 3), (80, 1), (1, 24), (999, 999),
  ].map { ScreenPainter.Size(columns: $0.0, rows: $0.1) }

  private static func keychain() -> RunState.Keychain {
    RunState.Keychain(
      device: "8000000000000001", isPlugged: true, isPowered: true, hasHost: true, isLinked: true,
      isHeld: false, shown: .idle, detail: 0, hasSounder: false, battery: 87, receiver: "at",
      fix: "good", latitude: 514_778_000, longitude: -15_000, unacked: 0)
  }

  private static func state() -> RunState {
    var state = RunState()
    state.alarm = RunState.Emergency(state: .noEmergency)
    state.keychain = keychain()
    state.page = RunState.Page(address: "http://127.0.0.1:8787", code: "ACDEFGHJ")
    state.pin = "is 4711"
    state.happened = [
      TimelineLine(at: 25, who: "link", what: "keychain linked", tone: .good)
    ]
    state.told = [.init(contact: "Contact 1", what: "received, raise 1", tone: .good)]
    state.frames = ["     0.500000  D→H  HEARTBEAT     #7     87 %"]
    return state
  }

  private func text(_ state: RunState, _ columns: Int = 80, _ rows: Int = 24) -> [String] {
    RunScreen(state, size: ScreenPainter.Size(columns: columns, rows: rows)).rows(hasColour: false)
  }

  private func row(_ label: String, of state: RunState) throws -> String {
    let row = try #require(text(state).first { $0.hasPrefix("  \(label) ") }, "\(text(state))")
    return row.dropFirst(2 + label.count).trimmingPrefix(while: { $0 == " " }).description
  }

  @Test func `a usual window shows all that there is`() {
    #expect(
      text(Self.state()) == [
        "",
        "  NO ALARM",
        "",
        "  link     up, keychain 8000000000000001",
        "  light    idle: 1 flash in 5.000 s",
        "  battery  87 %",
        "  fix      good, 51.47780, -0.00150",
        "  press    none since the start",
        "  PIN      is 4711",
        "  page     http://127.0.0.1:8787, code ACDEFGHJ",
        "",
        "  told     Contact 1: received, raise 1",
        "",
        "  events       0.025 s  link      keychain linked",
        "",
        "  frames        0.500000  D→H  HEARTBEAT     #7     87 %",
        "", "", "", "", "",
        "  space press   h hold/let go   u pull/push the plug   b battery -10 %",
        "  x cut the power   p PIN (four digits)   a Contact 1 has it   s silence",
        "  q survey   r resume   ? this   Ctrl-C ends",
      ])
  }

  @Test func `a page that is not served says why, and sockets stand with the keys`() throws {
    var state = Self.state()
    state.page = nil
    state.pageObstacle = "cannot listen at 127.0.0.1:8787"
    state.sockets = "/tmp/fob-1/{keychain,bridge}.sock"
    #expect(try row("page", of: state) == "none: cannot listen at 127.0.0.1:8787")
    state.showsKeys = true
    #expect(try row("sockets", of: state) == "/tmp/fob-1/{keychain,bridge}.sock")
  }

  @Test func `an account of its own is named, and where else an alarm is open`() throws {
    var state = Self.state()
    state.account = "2, Owner 2"
    state.otherAlarms = [1, 3].compactMap { AccountNumber($0) }
    #expect(try row("account", of: state) == "2, Owner 2")
    #expect(try row("others", of: state) == "an open alarm in account 1, 3")
  }

  @Test func `all keys are listed, and how to go back`() {
    var state = Self.state()
    state.showsKeys = true
    let rows = text(state)
    #expect(Keyboard.keys.allSatisfy { key in rows.contains { $0.contains(key) } })
    #expect(rows.contains("  any key: back to the view"))
  }

  @Test func `a small window keeps the alarm, the keys and what matters most`() {
    #expect(
      text(Self.state(), 20, 5) == [
        "NO ALARM", "link up, keychain 8…", "light idle: 1 flash…", "battery 87 %", "space press",
      ])
    #expect(text(Self.state(), 1, 1) == ["…"])
    #expect(text(Self.state(), 9, 1) == ["NO ALARM"])
    let medium = text(Self.state(), 40, 10)
    #expect(medium[0] == "  NO ALARM" && medium[4].hasPrefix("  fix "))
    #expect(medium[8].hasPrefix("  space press"))
  }

  @Test(arguments: sizes)
  func `no row is wider than the window, and no more rows come than it has`(
    size: ScreenPainter.Size
  ) {
    var random = SeededGenerator(seed: 31)
    for _ in 0..<40 {
      let state = Self.hostile(using: &random)
      let rows = RunScreen(state, size: size).rows(hasColour: false)
      #expect(rows.count == size.rows)
      for row in rows {
        #expect(TextColumns.count(row) <= size.columns, "\(row)")
        #expect(row.isHarmless, "\(row)")
      }
      // Colours are all that is added.
      let painted = RunScreen(state, size: size).rows(hasColour: true)
      #expect(painted.map { $0.replacing(/\e\[\d*m/, with: "") } == rows)
    }
  }

  @Test func `without colour there is no escape sequence, and every state has its own words`() {
    var words: Set<String> = []
    for alarm in EmergencyState.allCases {
      var state = Self.state()
      state.alarm = RunState.Emergency(state: alarm)
      let rows = text(state)
      #expect(!rows.contains { $0.contains("\u{1B}") })
      words.insert(rows[1])
    }
    #expect(words.count == EmergencyState.allCases.count)
  }

  @Test func `what is not known is unknown`() throws {
    let nothing = RunState()
    #expect(text(nothing)[1].hasPrefix("  UNKNOWN"))
    for label in ["link", "light", "battery", "fix"] {
      #expect(try row(label, of: nothing) == "unknown")
    }
    #expect(try row("press", of: nothing) == "none since the start")
    var state = Self.state()
    state.keychain?.shown = nil
    #expect(try row("light", of: state) == "unknown")
    state.keychain?.isPowered = false
    state.keychain?.fix = nil
    #expect(try row("light", of: state) == "dark: no power")
    #expect(try row("fix", of: state) == "unknown")
    #expect(try row("link", of: state) == "down: the keychain has no power")
  }

  @Test func `link, fix, battery and the page's code say how they stand`() throws {
    var state = Self.state()
    state.keychain?.isLinked = false
    #expect(try row("link", of: state) == "down: HELLO is not answered yet")
    state.keychain?.hasHost = false
    state.keychain?.unacked = 2
    #expect(try row("link", of: state) == "down: no host has the line open, 2 events not acked")
    state.keychain?.isPlugged = false
    #expect(try row("link", of: state) == "the plug is pulled, 2 events not acked")
    state.keychain?.fix = "none"
    #expect(try row("fix", of: state) == "none yet")
    state.keychain?.receiver = "none"
    #expect(try row("fix", of: state) == "no receiver")
    state.keychain?.battery = 20
    #expect(try row("battery", of: state) == "20 %, low")
    state.page?.code = nil
    #expect(try row("page", of: state) == "http://127.0.0.1:8787, code: fob code")
  }

  @Test func `a countdown, who has it in hand and a store that fails are told`() throws {
    var state = Self.state()
    state.alarm = RunState.Emergency(state: .alertCountdown, countdown: 12)
    #expect(text(state)[1].hasPrefix("  ALARM IN 12 s"))
    state.alarm = RunState.Emergency(state: .emergencySent)
    #expect(text(state)[1].contains("nobody has acknowledged"))
    state.alarm?.acknowledgedBy = ["Contact 1"]
    #expect(text(state)[1] == "  ALARM, ACKNOWLEDGED  in hand: Contact 1")
    state.alarm?.storageFailure = "No space left on device"
    #expect(try row("store", of: state) == "No space left on device")
  }

  @Test func `the last press has its time until the light said so, as far as that is known`()
    throws
  {
    let json = """
      {"event":"1.2","device":"8000000000000001","edge":0,"read":25088,"decided":25150,
      "acked":27100,"lit":27300,"uncertainty":40}
      """
    var press = try JSONDecoder().decode(PressStages.self, from: Data(json.utf8))
    #expect(PressWords.of(press) == "1.2: 27.300 ms until the light said so (±40 µs)")
    press.lit = nil
    let acked = "1.2: 27.100 ms until acked (±40 µs), the light has not said so"
    #expect(PressWords.of(press) == acked)
    press.edge = nil
    #expect(PressWords.of(press).contains("unknown"))
  }

  @Test func `a PIN that is typed is not shown, and all keys can be listed`() {
    var state = Self.state()
    state.typedDigits = 2
    #expect(text(state).last == "  PIN: **__  (any other key gives up)")
    state.typedDigits = nil
    state.showsKeys = true
    let all = text(state, 30, 13).joined(separator: " ")
    for key in Keyboard.keys { #expect(all.contains(key)) }
  }

  private static func hostile(using random: inout SeededGenerator) -> RunState {
    var state = Self.state()
    state.alarm = RunState.Emergency(
      state: EmergencyState.allCases.randomElement(using: &random)!,
      acknowledgedBy: [.hostile(using: &random)], storageFailure: .hostile(using: &random))
    state.keychain?.device = .hostile(using: &random)
    state.account = .hostile(using: &random)
    state.keychain?.receiver = .hostile(using: &random)
    state.keychain?.detail = UInt8.random(in: 0...255, using: &random)
    state.keychain?.shown = (0...12).randomElement(using: &random).flatMap {
      ShownState(rawValue: $0)
    }
    state.keychain?.latitude = [Int32.min, Int32.max, 0].randomElement(using: &random)!
    state.page = RunState.Page(address: .hostile(using: &random), code: nil)
    state.happened = (0..<300).map { _ in
      TimelineLine(
        at: Int64.random(in: 0...Int64.max / 2, using: &random),
        who: ["told", "alarm", "link"].randomElement(using: &random)!,
        what: .hostile(using: &random), tone: .bad)
    }
    state.told = (0..<Int.random(in: 0...20, using: &random)).map { _ in
      .init(contact: .hostile(using: &random), what: .hostile(using: &random), tone: .good)
    }
    state.frames = (0..<70).map { _ in .hostile(using: &random) }
    state.typedDigits = [nil, 0, 4, 9].randomElement(using: &random)!
    state.showsKeys = Bool.random(using: &random)
    return state
  }
}
