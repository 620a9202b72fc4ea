import Emulator
import FobBase
import Foundation
import TestSupport
import Testing
import WireProtocol

@testable import AlertCore
@testable import Bridge
@testable import Sinks

/// What a broker is told of a core, by Debian's mosquitto.
@Suite struct StateTopicsTests {
  private static let id = DeviceID.bench(1).text

  /// A bench whose sink and publisher are connected.
  private struct Bench {
    let folder = try! ScratchDirectory()
    let broker: Broker
    let keychain: EmulatedKeychain
    let rig: BridgeRig
    let publisher: StatePublisher
    let connections = Gathered<String?>()

    init(hasBattery: Bool = true) throws {
      broker = try Broker(in: folder)
      try broker.listen()
      let settings = MQTTConnection.Settings(
        address: try BrokerAddress("mqtt://127.0.0.1:\(broker.port)"),
        client: "fob-test-\(UUID())", program: [Tool.fob, MQTTSession.command])
      let sink = try MQTTSink(
        name: "house", settings, topic: "fob", discovery: "homeassistant", isTest: true)
      keychain = try .started(in: folder, hasBattery: hasBattery)
      rig = try BridgeRig(sinks: [try RecordingSink(), sink], in: folder)
      publisher = try StatePublisher(sink, of: rig.bridge)
      rig.watch { [publisher] in publisher.tell($0) }
      try publisher.start { [connections] in connections.put($0) }
      try wait("the keychain is linked", "fob/keychains/\(StateTopicsTests.id)/availability") {
        $0.payload == "online"
      }
    }

    func stop() {
      publisher.stop()
      keychain.stop()
    }

    func wait(_ words: String, _ topic: String, _ isSo: (Broker.Message) -> Bool) throws {
      try broker.heard.wait(words) { broker.heard(on: topic).last.map(isSo) ?? false }
    }

    func waitForAlarm(_ state: EmergencyState) throws {
      try wait("the alarm is \(state)", "fob/alarm") {
        $0.json()["state"] as? String == state.rawValue
      }
    }

    var incident: String {
      broker.heard(on: "fob/alarm").last?.json()["incident"] as? String ?? ""
    }

    /// - Returns: what became of it.
    func ask(_ command: [String: String]) throws -> String? {
      let earlier = broker.heard(on: "fob/result").count
      let text = try JSONSerialization.data(withJSONObject: command)
      try broker.publish(String(decoding: text, as: UTF8.self), to: "fob/command")
      try broker.heard.wait("an answer") { broker.heard(on: "fob/result").count > earlier }
      return broker.heard(on: "fob/result").last?.json()["result"] as? String
    }
  }

  @Test func `a press, its alarm and its end are told as they come`() throws {
    let bench = try Bench()
    defer { bench.stop() }
    #expect(bench.broker.heard(on: "fob/availability").last?.payload == "online")
    let number = try bench.keychain.press()
    try bench.waitForAlarm(.emergencySent)
    #expect(bench.broker.heard(on: "fob/alarm").last?.json()["panel"] as? String == "triggered")
    let topic = "fob/keychains/\(Self.id)/press"
    try bench.wait("the press is told", topic) { $0.json()["event"] as? String == number.text }
    #expect(bench.broker.heard(on: topic).count == 1)
    try bench.wait("the light is told", "fob/keychains/\(Self.id)") {
      $0.json()["light"] as? String == "accepted"
    }
    #expect(
      try bench.ask(["command": "disarm", "incident": bench.incident, "pin": "2468"]) == "done")
    try bench.waitForAlarm(.emergencyEnded)
    #expect(bench.broker.heard(on: "fob/alarm").last?.json()["panel"] as? String == "disarmed")
    try bench.wait("contacts are told of the end", "fob/messages") {
      $0.json()["kind"] as? String == "closing"
    }
  }

  @Test func `a command does what it says to the incident that it names, and to no other`() throws {
    let bench = try Bench()
    defer { bench.stop() }
    _ = try bench.keychain.press()
    try bench.waitForAlarm(.emergencySent)
    let incident = bench.incident
    #expect(try bench.ask(["command": "disarm", "incident": incident]) == "wrongPIN")
    #expect(
      try bench.ask(["command": "disarm", "incident": incident, "pin": "2469"]) == "wrongPIN")
    #expect(try bench.ask(["command": "acknowledge", "incident": "another"]) == "nothingOpen")
    #expect(try bench.ask(["command": "cancel", "incident": incident]) == "invalid")
    #expect(try bench.ask(["incident": incident]) == "invalid")
    #expect(bench.rig.bridge.status.incident?.acknowledgedBy == [])
    #expect(try bench.ask(["command": "silence", "incident": incident]) == "done")
    #expect(bench.rig.bridge.status.incident?.sounder == false)
    #expect(
      try bench.ask(["command": "acknowledge", "incident": incident, "id": "seventh"]) == "done")
    #expect(bench.broker.heard(on: "fob/result").last?.json()["id"] as? String == "seventh")
    #expect(bench.rig.bridge.status.incident?.acknowledgedBy == ["mqtt:house"])
    let other = ["command": "acknowledge", "incident": incident, "contact": "contact-1"]
    #expect(try bench.ask(other) == "done")
    #expect(bench.rig.bridge.status.incident?.acknowledgedBy == ["mqtt:house", "contact-1"])
    #expect(bench.rig.bridge.status.state.isOpen)
  }

  @Test func `a broker that comes back knows what is so, and one that is left knows that, too`()
    throws
  {
    let bench = try Bench()
    defer { bench.stop() }
    bench.broker.kill()
    try bench.connections.wait("its death is told") { bench.connections.all.count > 1 }
    _ = try bench.keychain.press()
    try bench.rig.waitFor(.emergencySent)
    try bench.broker.start()
    try bench.broker.listen()
    try bench.waitForAlarm(.emergencySent)
    try bench.wait("nobody who asks later is told another", "fob/messages") {
      $0.json()["kind"] as? String == "raise"
    }
    bench.publisher.stop()
    try bench.wait("it is away", "fob/availability") { $0.payload == "offline" }
  }

  @Test func `Home Assistant is told of an alarm panel and of each keychain`() throws {
    let bench = try Bench()
    defer { bench.stop() }
    let root = "homeassistant"
    let panel = "\(root)/alarm_control_panel/fob_fob_alarm/config"
    let trigger = "\(root)/device_automation/fob_fob_\(Self.id)_press/config"
    try bench.wait("the last of them", "\(root)/sensor/fob_fob_\(Self.id)_light/config") { _ in true
    }
    let config = try #require(bench.broker.heard(on: panel).last).json()
    #expect(config["code"] as? String == "REMOTE_CODE")
    #expect(config["state_topic"] as? String == "fob/alarm")
    #expect(bench.broker.heard(on: trigger).count == 1)
    let message = "\(root)/event/fob_fob_message/config"
    let events = try #require(bench.broker.heard(on: message).last).json()["event_types"]
    #expect((events as? [String])?.contains("raise") == true)
    let before = bench.broker.heard(on: panel).count
    try bench.broker.publish("online", to: "\(root)/status")
    try bench.broker.heard.wait("it has started, and is told again") {
      bench.broker.heard(on: panel).count > before
    }
  }

  @Test func `a battery is offered where a keychain has one, and taken away where it has none`()
    throws
  {
    let topic = "homeassistant/sensor/fob_fob_\(Self.id)_battery/config"
    let bench = try Bench()
    defer { bench.stop() }
    try bench.wait("it is offered", topic) { $0.json()["device_class"] as? String == "battery" }
    let status = bench.rig.bridge.status
    let topics = StateTopics(topic: "fob", discovery: "homeassistant")
    func text(_ hasBattery: Bool?) -> String? {
      let reading = KeychainReading(
        light: nil, position: nil, accuracy: nil, hasBattery: hasBattery)
      return topics.retained(status, [Self.id: reading])[topic]
    }
    #expect(text(true)?.contains("_battery") == true && text(false) == "")
    #expect(text(nil) == nil, "what is kept from before may be true")
    let other = try Bench(hasBattery: false)
    defer { other.stop() }
    try other.wait("it is taken away", topic) { $0.payload.isEmpty }
  }

  @Test func `a position is told only while the account allows that`() throws {
    let bench = try Bench()
    defer { bench.stop() }
    let topic = "fob/keychains/\(Self.id)/position"
    var fix = PositionFix()
    fix.quality = .good
    fix.latitude = 514_778_000
    let status = bench.rig.bridge.status
    let position = try #require(Position(fix, at: status.now))
    let topics = StateTopics(topic: "fob", discovery: nil)
    let reading = KeychainReading(light: nil, position: position, accuracy: 4.5, hasBattery: true)
    let texts = topics.retained(status, [Self.id: reading])
    #expect(texts[topic]?.contains(#""gps_accuracy":4.5,"latitude":51.4778"#) == true)
    #expect(topics.retained(status, [:])[topic] == nil)
  }

  @Test func `the panel is armed while protection is on, and only then`() throws {
    func panel(_ isProtecting: Bool) throws -> String {
      var account = BridgeRig.account
      account.isProtecting = isProtecting
      let rig = try BridgeRig(account: account, sinks: [])
      return StateTopics.AlarmState(rig.bridge.status).panel
    }
    #expect(try panel(true) == "armed_away")
    #expect(try panel(false) == "disarmed")
  }

  @Test func `no text that is no command does anything`() {
    for text in [
      "", "{}", "[]", "null", "\u{0}", #"{"command":"disarm"}"#,
      #"{"command":1,"incident":"a"}"#, #"{"command":"disarm","incident":"a","pin":2468}"#,
      String(repeating: "[", count: 4_000),
    ] {
      #expect(MQTTCommand(Array(text.utf8)) == nil)
    }
    let command = MQTTCommand(Array(#"{"command":"silence","incident":"a","more":1}"#.utf8))
    #expect(command?.command == .silence && command?.incident == "a" && command?.pin == nil)
  }
}
