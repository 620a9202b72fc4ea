import CProtocolReference
import FobBase
import WireProtocol

/// The structs of C as the types of WireProtocol; a value that those do not know as they take it.

extension Hello {
  init(_ c: fob_hello) {
    let version = c.firmware_version
    self.init(
      role: c.role == 0 ? .device : .host, session: c.session_nonce,
      software: SoftwareVersion(major: version.0, minor: version.1, patch: version.2))
    versionMin = c.version_min
    versionMax = c.version_max
    resetCause = ResetCause(rawValue: c.reset_cause) ?? .unknown
    capabilities = c.capabilities
    maxFrame = c.max_frame
    tableHash = c.table_hash
    deviceID = DeviceID(rawValue: c.device_id)
    bootCounter = c.boot_counter
    bootNonce = c.boot_nonce
    oldestUnacked = EventNumber(rawValue: c.oldest_unacked)
  }
}

extension TimeRequest {
  init(_ c: fob_time_req) { self.init(hostSend: c.host_send, session: c.session_nonce) }
}

extension TimeResponse {
  init(_ c: fob_time_resp) {
    self.init(
      to: TimeRequest(hostSend: c.host_send, session: c.session_nonce), receive: c.device_receive,
      send: c.device_send, bootNonce: c.boot_nonce)
  }
}

extension Heartbeat {
  init(_ c: fob_heartbeat) {
    self.init()
    uptime = c.uptime
    millivolts = c.millivolts
    batteryPercent = c.battery_percent
    unacked = c.unacked
    shown = ShownState(rawValue: c.shown_state)
    flags = Flags(rawValue: c.flags)
    damagedFrames = c.rx_damaged
    droppedFrames = c.tx_dropped
    evictedEvents = c.evicted
    mergedPresses = c.merged
  }
}

extension Reject {
  init(_ c: fob_reject) {
    self.init(
      type: c.rejected_type, reason: Reason(rawValue: c.reason)!, sequence: c.rejected_seq)
  }
}

extension EventRecord {
  init(_ c: fob_event) {
    var identity = EventIdentity(
      deviceID: DeviceID(rawValue: c.device_id), number: EventNumber(rawValue: c.event_no),
      kind: .fault, clock: c.clock, bootNonce: c.boot_nonce)
    identity.rawKind = c.kind
    self.init(identity)
    commitDelta = c.commit_delta
    flags = Flags(rawValue: c.flags)
    detail = c.detail
    millivolts = c.millivolts
    batteryPercent = c.battery_percent
    position.quality = PositionQuality(rawValue: c.fix_quality) ?? .none
    position.latitude = c.latitude
    position.longitude = c.longitude
    position.age = c.fix_age
    position.accuracy = c.fix_accuracy
    position.satellites = c.satellites
    firstCovered = EventNumber(rawValue: c.first_covered)
    covered = c.covered
  }
}

extension Challenge {
  init(_ c: fob_challenge) { self.init(session: c.session_nonce, hostNonce: c.host_nonce) }
}

extension Proof {
  init(_ c: fob_proof) {
    self.init(
      session: c.session_nonce, bootCounter: c.boot_counter, bootNonce: c.boot_nonce,
      number: c.number, clock: c.clock, tag: c.tag)
  }
}

extension Pair {
  init(_ c: fob_pair) {
    self.init(session: c.session_nonce, keyLow: c.key_low, keyHigh: c.key_high)
  }
}

extension PairResult {
  init(_ c: fob_pair_result) {
    self.init(session: c.session_nonce, outcome: Outcome(rawValue: c.result)!, tag: c.tag)
  }
}

extension Unpair {
  init(_ c: fob_unpair) { self.init(session: c.session_nonce) }
}

extension EventAck {
  init(_ c: fob_event_ack) {
    self.init(number: EventNumber(rawValue: c.event_no), identityCRC: c.identity_crc)
  }
}

extension Indicate {
  init(_ c: fob_indicate) {
    self.init(
      session: c.session_nonce, incident: c.incident, revision: c.revision,
      state: ShownState(rawValue: c.state)!, detail: c.detail, sounder: c.flags & 1 != 0,
      lease: c.lease)
  }
}

extension LEDSet {
  init(_ c: fob_led_set) {
    self.init(state: ShownState(rawValue: c.state)!, detail: c.detail, duration: c.duration)
  }
}

extension LEDState {
  init(_ c: fob_led_state) {
    self.init(
      clock: c.clock, shown: .off, detail: c.detail, sounder: c.flags & 1 != 0,
      source: c.flags & 4 != 0 ? .bench : c.flags & 2 != 0 ? .lease : .own,
      session: c.session_nonce, revision: c.revision)
    shown = ShownState(rawValue: c.shown_state)
  }
}

extension BatteryReading {
  init(_ c: fob_battery) {
    self.init(
      clock: c.clock, millivolts: c.millivolts, percent: c.percent,
      level: BatteryLevel(rawValue: c.level)!)
  }
}

extension PositionFix {
  init(_ c: fob_gps_fix) {
    self.init()
    clock = c.clock
    quality = PositionQuality(rawValue: c.quality)!
    latitude = c.latitude
    longitude = c.longitude
    altitude = c.altitude
    accuracy = c.accuracy
    satellites = c.satellites
    utc = c.utc
  }
}

extension Config {
  init(_ c: fob_config) {
    self.init(key: .debounce, value: c.value)
    key = c.key
  }
}

extension ConfigResult {
  init(_ c: fob_config_result) {
    self.init(key: c.key, value: c.value, outcome: Outcome(rawValue: c.result)!)
  }
}
