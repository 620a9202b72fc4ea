import CProtocolReference

/// A message read by the C of its type: the numbers of its struct by their names in C, which are
/// those of the table, and the bytes that C writes for it.
struct CMessage: Equatable {
  var fields: [String: UInt64] = [:]
  var version: [UInt8]?
  var written: [UInt8] = []

  /// Nil where C refuses the payload, or has no such message.
  init?(_ name: String, _ payload: [UInt8]) {
    guard let type = CMessageType.all[name], type.read(&self, payload) else { return nil }
  }

  fileprivate mutating func read<C>(
    _ payload: [UInt8], _ blank: C, _ read: CMessageType.Reader<C>, _ write: CMessageType.Writer<C>
  ) -> Bool {
    // A text points into the payload, so all is done while that stays where it is.
    payload.withUnsafeBufferPointer { payload in
      var message = blank
      guard read(payload.baseAddress, payload.count, &message) == FOB_READ else { return false }
      for (name, value) in Mirror(reflecting: message).children { note(name ?? "", value) }
      written = [UInt8](unsafeUninitializedCapacity: Int(FOB_LONGEST_PAYLOAD)) { room, count in
        count = write(&message, room.baseAddress)
      }
      return true
    }
  }

  private mutating func note(_ name: String, _ value: Any) {
    switch value {
    case let number as any FixedWidthInteger: fields[name] = UInt64(truncatingIfNeeded: number)
    case let version as (UInt8, UInt8, UInt8): self.version = [version.0, version.1, version.2]
    default: break
    }
  }
}

/// A message of `fob_messages.h`.
struct CMessageType: Sendable {
  typealias Reader<C> =
    @Sendable (UnsafePointer<UInt8>?, Int, UnsafeMutablePointer<C>?) ->
    fob_reading
  typealias Writer<C> = @Sendable (UnsafePointer<C>?, UnsafeMutablePointer<UInt8>?) -> Int

  let code: UInt8
  /// Of its fixed fields, and of its tail or of one entry behind them, in bytes.
  let size, tail: Int
  let read: @Sendable (inout CMessage, [UInt8]) -> Bool

  private init<C>(
    _ code: Int, _ size: Int, tail: Int = 0, _ blank: @escaping @autoclosure @Sendable () -> C,
    _ read: @escaping Reader<C>, _ write: @escaping Writer<C>
  ) {
    self.code = UInt8(code)
    self.size = size
    self.tail = tail
    self.read = { $0.read($1, blank(), read, write) }
  }

  static let all: [String: CMessageType] = [
    "HELLO": .init(FOB_HELLO, FOB_HELLO_SIZE, fob_hello(), fob_read_hello, fob_write_hello),
    "TIME_REQ": .init(
      FOB_TIME_REQ, FOB_TIME_REQ_SIZE, fob_time_req(), fob_read_time_req, fob_write_time_req),
    "TIME_RESP": .init(
      FOB_TIME_RESP, FOB_TIME_RESP_SIZE, fob_time_resp(), fob_read_time_resp, fob_write_time_resp),
    "HEARTBEAT": .init(
      FOB_HEARTBEAT, FOB_HEARTBEAT_SIZE, fob_heartbeat(), fob_read_heartbeat, fob_write_heartbeat),
    "REJECT": .init(FOB_REJECT, FOB_REJECT_SIZE, fob_reject(), fob_read_reject, fob_write_reject),
    "EVENT": .init(
      FOB_EVENT, FOB_EVENT_SIZE, tail: FOB_EVENT_LONGEST - FOB_EVENT_SIZE, fob_event(),
      fob_read_event, fob_write_event),
    "CHALLENGE": .init(
      FOB_CHALLENGE, FOB_CHALLENGE_SIZE, fob_challenge(), fob_read_challenge, fob_write_challenge),
    "PROOF": .init(
      FOB_PROOF, FOB_PROOF_SIZE, fob_proof(), fob_read_proof, fob_write_proof),
    "PAIR": .init(
      FOB_PAIR, FOB_PAIR_SIZE, fob_pair(), fob_read_pair, fob_write_pair),
    "PAIR_RESULT": .init(
      FOB_PAIR_RESULT, FOB_PAIR_RESULT_SIZE, fob_pair_result(), fob_read_pair_result,
      fob_write_pair_result),
    "UNPAIR": .init(
      FOB_UNPAIR, FOB_UNPAIR_SIZE, fob_unpair(), fob_read_unpair, fob_write_unpair),
    "EVENT_ACK": .init(
      FOB_EVENT_ACK, FOB_EVENT_ACK_SIZE, fob_event_ack(), fob_read_event_ack, fob_write_event_ack),
    "INDICATE": .init(
      FOB_INDICATE, FOB_INDICATE_SIZE, fob_indicate(), fob_read_indicate, fob_write_indicate),
    "LED_SET": .init(
      FOB_LED_SET, FOB_LED_SET_SIZE, fob_led_set(), fob_read_led_set, fob_write_led_set),
    "LED_STATE": .init(
      FOB_LED_STATE, FOB_LED_STATE_SIZE, fob_led_state(), fob_read_led_state, fob_write_led_state),
    "BATTERY": .init(
      FOB_BATTERY, FOB_BATTERY_SIZE, fob_battery(), fob_read_battery, fob_write_battery),
    "GPS_FIX": .init(
      FOB_GPS_FIX, FOB_GPS_FIX_SIZE, fob_gps_fix(), fob_read_gps_fix, fob_write_gps_fix),
    "CONFIG": .init(FOB_CONFIG, FOB_CONFIG_SIZE, fob_config(), fob_read_config, fob_write_config),
    "CONFIG_RESULT": .init(
      FOB_CONFIG_RESULT, FOB_CONFIG_RESULT_SIZE, fob_config_result(), fob_read_config_result,
      fob_write_config_result),
    "FW_INFO": .init(FOB_FW_INFO, 0, fob_fw_info(), fob_read_fw_info, fob_write_fw_info),
    "TRACE": .init(
      FOB_TRACE, FOB_TRACE_SIZE, tail: FOB_TRACE_ENTRY_SIZE, fob_trace(), fob_read_trace,
      fob_write_trace),
    "LOG": .init(FOB_LOG, 1, fob_log(), fob_read_log, fob_write_log),
    "NMEA_RAW": .init(FOB_NMEA_RAW, 0, fob_nmea_raw(), fob_read_nmea_raw, fob_write_nmea_raw),
  ]
}
