import CProtocolReference
import FobBase
import WireProtocol

/// A payload read by C and by Swift: both refuse it, or both find the same fields. What C read and
/// wrote again is what it was given.
enum PayloadComparison {
  static func agrees(_ type: UInt8, _ payload: UnsafeRawBufferPointer) -> Bool {
    switch Int(type) {
    case FOB_HELLO: same(payload, fob_read_hello, fob_write_hello) { Hello($0) }
    case FOB_TIME_REQ: same(payload, fob_read_time_req, fob_write_time_req) { TimeRequest($0) }
    case FOB_TIME_RESP: same(payload, fob_read_time_resp, fob_write_time_resp) { TimeResponse($0) }
    case FOB_HEARTBEAT: same(payload, fob_read_heartbeat, fob_write_heartbeat) { Heartbeat($0) }
    case FOB_REJECT: same(payload, fob_read_reject, fob_write_reject) { Reject($0) }
    case FOB_EVENT: same(payload, fob_read_event, fob_write_event) { EventRecord($0) }
    case FOB_CHALLENGE: same(payload, fob_read_challenge, fob_write_challenge) { Challenge($0) }
    case FOB_PROOF: same(payload, fob_read_proof, fob_write_proof) { Proof($0) }
    case FOB_PAIR: same(payload, fob_read_pair, fob_write_pair) { Pair($0) }
    case FOB_PAIR_RESULT:
      same(payload, fob_read_pair_result, fob_write_pair_result) { PairResult($0) }
    case FOB_UNPAIR: same(payload, fob_read_unpair, fob_write_unpair) { Unpair($0) }
    case FOB_EVENT_ACK: same(payload, fob_read_event_ack, fob_write_event_ack) { EventAck($0) }
    case FOB_INDICATE: same(payload, fob_read_indicate, fob_write_indicate) { Indicate($0) }
    case FOB_LED_SET: same(payload, fob_read_led_set, fob_write_led_set) { LEDSet($0) }
    case FOB_LED_STATE: same(payload, fob_read_led_state, fob_write_led_state) { LEDState($0) }
    case FOB_BATTERY: same(payload, fob_read_battery, fob_write_battery) { BatteryReading($0) }
    case FOB_GPS_FIX: same(payload, fob_read_gps_fix, fob_write_gps_fix) { PositionFix($0) }
    case FOB_CONFIG: same(payload, fob_read_config, fob_write_config) { Config($0) }
    case FOB_CONFIG_RESULT:
      same(payload, fob_read_config_result, fob_write_config_result) { ConfigResult($0) }
    case FOB_TRACE: traces(payload)
    case FOB_FW_INFO: firmwareInfo(payload)
    case FOB_LOG: logs(payload)
    case FOB_NMEA_RAW: sentences(payload)
    default: true
    }
  }

  private typealias Read<C> = (UnsafePointer<UInt8>?, Int, UnsafeMutablePointer<C>?) -> fob_reading
  private typealias Write<C> = (UnsafePointer<C>?, UnsafeMutablePointer<UInt8>?) -> Int

  private static func same<C: BitwiseCopyable, P: Payload & Equatable>(
    _ payload: UnsafeRawBufferPointer, _ read: Read<C>, _ write: Write<C>, _ convert: (C) -> P
  ) -> Bool {
    let ours = payload.count >= P.size ? P(payload) : nil
    return withUnsafeTemporaryAllocation(of: C.self, capacity: 1) { room in
      let theirs = room.baseAddress!
      let reading = read(start(payload), payload.count, theirs)
      guard let ours else {
        return payload.count < P.size ? reading == FOB_TOO_SHORT : reading != FOB_READ
      }
      guard reading == FOB_READ, convert(theirs.pointee) == ours else { return false }
      let size = (ours as? EventRecord)?.flags.contains(.merged) == true ? 64 : P.size
      return writes(payload.prefix(size)) { write(theirs, $0) }
    }
  }

  private static func traces(_ payload: UnsafeRawBufferPointer) -> Bool {
    var theirs = fob_trace()
    let reading = fob_read_trace(start(payload), payload.count, &theirs)
    guard payload.count >= TraceFrame.size else { return reading == FOB_TOO_SHORT }
    guard reading == FOB_READ, TraceFrame(payload)?.first == theirs.first else { return false }
    var entries: [(UInt32, TraceEntry)] = []
    TraceFrame.entries(payload) { entries.append(($0, $1)) }
    let known = withUnsafeBytes(of: theirs.entries) { raw in
      raw.bindMemory(to: fob_trace_entry.self).prefix(Int(theirs.count)).enumerated().compactMap {
        index, entry -> (UInt32, TraceEntry)? in
        guard let code = TraceEntry.Code(rawValue: entry.code) else { return nil }
        let found = TraceEntry(clock: entry.clock, code: code, argument: entry.argument)
        return (theirs.first &+ UInt32(index), found)
      }
    }
    guard known.elementsEqual(entries, by: { $0.0 == $1.0 && $0.1 == $1.1 }) else { return false }
    let size = TraceFrame.size + Int(theirs.count) * TraceEntry.size
    return writes(payload.prefix(size)) { fob_write_trace(&theirs, $0) }
  }

  /// Without a zero byte the text is all board, and gets one when it is written. Where nothing
  /// stands on either side of it, what is written is the question.
  private static func firmwareInfo(_ payload: UnsafeRawBufferPointer) -> Bool {
    var theirs = fob_fw_info()
    guard fob_read_fw_info(start(payload), payload.count, &theirs) == FOB_READ else { return false }
    let board = payload.prefix { $0 != 0 }
    guard theirs.board.count == board.count else { return false }
    return board.count == payload.count || payload.count == 1
      ? theirs.build.count == 0
      : writes(payload.prefix(payload.count)) { fob_write_fw_info(&theirs, $0) }
  }

  private static func logs(_ payload: UnsafeRawBufferPointer) -> Bool {
    var theirs = fob_log()
    let reading = fob_read_log(start(payload), payload.count, &theirs)
    guard !payload.isEmpty else { return reading == FOB_TOO_SHORT }
    return reading == FOB_READ && theirs.level == payload[0]
      && writes(payload.prefix(payload.count)) { fob_write_log(&theirs, $0) }
  }

  private static func sentences(_ payload: UnsafeRawBufferPointer) -> Bool {
    var theirs = fob_nmea_raw()
    return fob_read_nmea_raw(start(payload), payload.count, &theirs) == FOB_READ
      && writes(payload.prefix(payload.count)) { fob_write_nmea_raw(&theirs, $0) }
  }

  private static func start(_ payload: UnsafeRawBufferPointer) -> UnsafePointer<UInt8>? {
    payload.baseAddress?.assumingMemoryBound(to: UInt8.self)
  }

  private static func writes(
    _ wanted: Slice<UnsafeRawBufferPointer>, _ write: (UnsafeMutablePointer<UInt8>) -> Int
  ) -> Bool {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Int(FOB_LONGEST_PAYLOAD)) { room in
      let count = write(room.baseAddress!)
      return room.prefix(count).elementsEqual(wanted)
    }
  }
}
