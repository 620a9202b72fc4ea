import FobBase
import WireProtocol

extension MessageVector {
  /// The message built from the vector's fields with the types of WireProtocol; nil for a type that
  /// this test does not know.
  var body: FrameBody? {
    switch type {
    case "HELLO": framed(hello)
    case "TIME_REQ": framed(timeRequest)
    case "TIME_RESP":
      framed(
        TimeResponse(
          to: timeRequest, receive: value("device_receive"), send: value("device_send"),
          bootNonce: value("boot_nonce")))
    case "HEARTBEAT": framed(heartbeat)
    case "REJECT":
      framed(
        Reject(
          type: value("rejected_type"), reason: Reject.Reason(rawValue: value("reason"))!,
          sequence: value("rejected_seq")))
    case "EVENT": framed(event)
    case "EVENT_ACK":
      framed(
        EventAck(
          number: EventNumber(rawValue: value("event_no")), identityCRC: value("identity_crc")))
    case "INDICATE": framed(indicate)
    case "LED_SET":
      framed(
        LEDSet(
          state: ShownState(rawValue: value("state"))!, detail: value("detail"),
          duration: value("duration")))
    case "LED_STATE": framed(ledState)
    case "BATTERY":
      framed(
        BatteryReading(
          clock: value("clock"), millivolts: value("millivolts"), percent: value("percent"),
          level: BatteryLevel(rawValue: value("level"))!))
    case "GPS_FIX": framed(fix)
    case "CONFIG":
      framed(Config(key: ConfigKey(rawValue: value("key"))!, value: value("value")))
    case "CONFIG_RESULT":
      framed(
        ConfigResult(
          key: value("key"), value: value("value"),
          outcome: ConfigResult.Outcome(rawValue: value("result"))!))
    case "TRACE": traced
    case "FW_INFO": variable(.firmwareInfo)
    case "LOG": variable(.log, [value("level")])
    case "NMEA_RAW": variable(.nmeaRaw)
    default: nil
    }
  }

  /// The vector's payload, read into its type and written again.
  var readAndWritten: [UInt8]? {
    switch type {
    case "HELLO": again(Hello.self)
    case "TIME_REQ": again(TimeRequest.self)
    case "TIME_RESP": again(TimeResponse.self)
    case "HEARTBEAT": again(Heartbeat.self)
    case "REJECT": again(Reject.self)
    case "EVENT": again(EventRecord.self)
    case "EVENT_ACK": again(EventAck.self)
    case "INDICATE": again(Indicate.self)
    case "LED_SET": again(LEDSet.self)
    case "LED_STATE": again(LEDState.self)
    case "BATTERY": again(BatteryReading.self)
    case "GPS_FIX": again(PositionFix.self)
    case "CONFIG": again(Config.self)
    case "CONFIG_RESULT": again(ConfigResult.self)
    case "TRACE": traceAgain
    case "FW_INFO", "LOG", "NMEA_RAW": [UInt8](hex: payload)
    default: nil
    }
  }

  private func framed<P: Payload>(_ payload: P) -> FrameBody { FrameBody(payload, sequence: seq) }

  private func again<P: Payload>(_ type: P.Type) -> [UInt8]? { P([UInt8](hex: payload))?.bytes }

  private func variable(_ type: MessageType, _ fixed: [UInt8] = []) -> FrameBody {
    var body = FrameBody(type: type, sequence: seq)
    (fixed + [UInt8](hex: rest ?? "")).withUnsafeBytes { body.append($0) }
    return body
  }

  private var traced: FrameBody {
    var body = framed(TraceFrame(first: value("first")))
    for entry in tail ?? [] {
      TraceEntry(
        clock: entry["clock"]!.integer(),
        code: TraceEntry.Code(rawValue: entry["code"]!.integer())!,
        argument: entry["argument"]!.integer()
      ).write(to: &body)
    }
    return body
  }

  private var traceAgain: [UInt8]? {
    let bytes = [UInt8](hex: payload)
    guard let head = TraceFrame(bytes) else { return nil }
    var body = framed(head)
    bytes.withUnsafeBytes { TraceFrame.entries($0) { _, entry in entry.write(to: &body) } }
    return body.payload
  }
}
