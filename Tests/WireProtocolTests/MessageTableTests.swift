import FobBase
import TestSupport
import Testing
import WireProtocol

struct MessageTableTests {
  /// The messages whose payload has a type, and the bytes of its fixed fields.
  private static let payloads: [String: (type: MessageType, size: Int)] = [
    "HELLO": (Hello.type, Hello.size),
    "TIME_REQ": (TimeRequest.type, TimeRequest.size),
    "TIME_RESP": (TimeResponse.type, TimeResponse.size),
    "HEARTBEAT": (Heartbeat.type, Heartbeat.size),
    "REJECT": (Reject.type, Reject.size),
    "EVENT": (EventRecord.type, EventRecord.size),
    "EVENT_ACK": (EventAck.type, EventAck.size),
    "INDICATE": (Indicate.type, Indicate.size),
    "LED_SET": (LEDSet.type, LEDSet.size),
    "LED_STATE": (LEDState.type, LEDState.size),
    "BATTERY": (BatteryReading.type, BatteryReading.size),
    "GPS_FIX": (PositionFix.type, PositionFix.size),
    "CONFIG": (Config.type, Config.size),
    "CONFIG_RESULT": (ConfigResult.type, ConfigResult.size),
    "TRACE": (TraceFrame.type, TraceFrame.size),
  ]

  /// The messages that are bytes to their end, and so have no payload type.
  private static let variable: [String: MessageType] = [
    "FW_INFO": .firmwareInfo, "LOG": .log, "NMEA_RAW": .nmeaRaw,
  ]

  @Test func `every message of the table has its type and size here`() throws {
    for message in try MessageTable.load().messages {
      if let payload = Self.payloads[message.name] {
        #expect(payload.type.rawValue == message.code, "\(message.name)")
        #expect(payload.size == message.size, "\(message.name)")
      } else {
        let type = try #require(Self.variable[message.name], "\(message.name)")
        #expect(type.rawValue == message.code, "\(message.name)")
      }
    }
  }

  @Test func `every type here stands in the table`() throws {
    let codes = Set(try MessageTable.load().messages.compactMap(\.code))
    let known = (UInt8.min...UInt8.max).filter { MessageType(rawValue: $0) != nil }
    #expect(codes == Set(known))
  }

  @Test func `a payload is as long as its size says`() throws {
    #expect(
      Hello(role: .host, session: 1, software: .init(major: 0, minor: 1, patch: 0))
        .bytes.count == Hello.size)
    for vector in try FrameVectors.load().messages where vector.tail == nil && vector.rest == nil {
      guard let payload = Self.payloads[vector.type] else { continue }
      #expect(vector.body?.payload.count == payload.size, "\(vector.name)")
    }
  }

  @Test func `tails are as long as their fields`() throws {
    let messages = try MessageTable.load().messages
    let event = try #require(messages.first { $0.name == "EVENT" })
    #expect(EventRecord.longestSize == event.size + event.tailSize)
    let trace = try #require(messages.first { $0.name == "TRACE" })
    #expect(TraceEntry.size == trace.tailSize)
    #expect(TraceFrame.size + TraceEntry.mostInFrame * TraceEntry.size <= Limits.longestPayload)
    #expect(
      TraceFrame.size + (TraceEntry.mostInFrame + 1) * TraceEntry.size > Limits.longestPayload)
  }

  @Test func `the frozen part of an event is its first 29 bytes`() throws {
    let event = try #require(try MessageTable.load().messages.first { $0.name == "EVENT" })
    let frozen = event.fields.prefix { $0.name != "commit_delta" }
    #expect(frozen.reduce(0) { $0 + $1.size } == EventIdentity.size)
    #expect(EventIdentity.size == 29)
  }

  @Test func `named values agree with the table`() throws {
    let table = try MessageTable.load()
    for code in UInt8.min...UInt8.max {
      #expect((ResetCause(rawValue: code) != nil) == (table.resetCauses["\(code)"] != nil))
      #expect((FaultCode(rawValue: code) != nil) == (table.faults["\(code)"] != nil))
      #expect((ShownState(rawValue: code) != nil) == (table.shownStates["\(code)"] != nil))
    }
    #expect(!ShownState.lowBattery.canBeIndicated && ShownState.identify.canBeIndicated)
  }

  @Test func `HELLO carries the CRC-32C of the table`() throws {
    let hash = try ProtocolFolder.bytes("messages.json").withUnsafeBytes { CRC32C.of($0) }
    #expect(Hello.tableHash == hash, "put 0x\(String(hash, radix: 16)) into Hello.swift")
  }
}
