import CProtocolReference

/// A message read by the C of its type: the numbers of its struct by their names in C, which are
/// those of the table, and the bytes that C writes for it.
struct CMessage: Equatable {
  var fields: [String: UInt64] = [:]
  var version: [UInt8]?
  var written: [UInt8] = []

  /// Nil where C refuses the payload, or has no such message.
  init?(_ name: String, _ payload: [UInt8]) {
    let isRead =
      switch name {
      case "HELLO": read(payload, fob_hello(), fob_read_hello, fob_write_hello)
      case "TIME_REQ": read(payload, fob_time_req(), fob_read_time_req, fob_write_time_req)
      case "TIME_RESP": read(payload, fob_time_resp(), fob_read_time_resp, fob_write_time_resp)
      case "HEARTBEAT": read(payload, fob_heartbeat(), fob_read_heartbeat, fob_write_heartbeat)
      case "REJECT": read(payload, fob_reject(), fob_read_reject, fob_write_reject)
      case "EVENT": read(payload, fob_event(), fob_read_event, fob_write_event)
      case "EVENT_ACK": read(payload, fob_event_ack(), fob_read_event_ack, fob_write_event_ack)
      case "INDICATE": read(payload, fob_indicate(), fob_read_indicate, fob_write_indicate)
      case "LED_SET": read(payload, fob_led_set(), fob_read_led_set, fob_write_led_set)
      case "LED_STATE": read(payload, fob_led_state(), fob_read_led_state, fob_write_led_state)
      case "BATTERY": read(payload, fob_battery(), fob_read_battery, fob_write_battery)
      case "GPS_FIX": read(payload, fob_gps_fix(), fob_read_gps_fix, fob_write_gps_fix)
      case "CONFIG": read(payload, fob_config(), fob_read_config, fob_write_config)
      case "CONFIG_RESULT":
        read(payload, fob_config_result(), fob_read_config_result, fob_write_config_result)
      case "FW_INFO": read(payload, fob_fw_info(), fob_read_fw_info, fob_write_fw_info)
      case "TRACE": read(payload, fob_trace(), fob_read_trace, fob_write_trace)
      case "LOG": read(payload, fob_log(), fob_read_log, fob_write_log)
      case "NMEA_RAW": read(payload, fob_nmea_raw(), fob_read_nmea_raw, fob_write_nmea_raw)
      default: false
      }
    guard isRead else { return nil }
  }

  private mutating func read<C>(
    _ payload: [UInt8], _ blank: C,
    _ read: (UnsafePointer<UInt8>?, Int, UnsafeMutablePointer<C>?) -> fob_reading,
    _ write: (UnsafePointer<C>?, UnsafeMutablePointer<UInt8>?) -> Int
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
