import FobBase
import WireProtocol

extension MessageVector {
  var hello: Hello {
    let version = fields?["firmware_version"]?.bytes ?? [0, 0, 0]
    var hello = Hello(
      role: Hello.Role(rawValue: value("role"))!, session: value("session_nonce"),
      software: SoftwareVersion(major: version[0], minor: version[1], patch: version[2]))
    hello.versionMin = value("version_min")
    hello.versionMax = value("version_max")
    hello.resetCause = ResetCause(rawValue: value("reset_cause"))!
    hello.capabilities = value("capabilities")
    hello.maxFrame = value("max_frame")
    hello.tableHash = value("table_hash")
    hello.deviceID = DeviceID(rawValue: value("device_id"))
    hello.bootCounter = value("boot_counter")
    hello.bootNonce = value("boot_nonce")
    hello.oldestUnacked = EventNumber(rawValue: value("oldest_unacked"))
    return hello
  }

  var timeRequest: TimeRequest {
    TimeRequest(hostSend: value("host_send"), session: value("session_nonce"))
  }

  var heartbeat: Heartbeat {
    var beat = Heartbeat()
    beat.uptime = value("uptime")
    beat.millivolts = value("millivolts")
    beat.batteryPercent = value("battery_percent")
    beat.unacked = value("unacked")
    beat.shown = ShownState(rawValue: value("shown_state"))!
    beat.flags = Heartbeat.Flags(rawValue: value("flags"))
    beat.damagedFrames = value("rx_damaged")
    beat.droppedFrames = value("tx_dropped")
    beat.evictedEvents = value("evicted")
    beat.mergedPresses = value("merged")
    return beat
  }

  var event: EventRecord {
    var record = EventRecord(
      EventIdentity(
        deviceID: DeviceID(rawValue: value("device_id")),
        number: EventNumber(rawValue: value("event_no")), kind: EventKind(rawValue: value("kind"))!,
        clock: value("clock"), bootNonce: value("boot_nonce")))
    record.commitDelta = value("commit_delta")
    record.flags = EventRecord.Flags(rawValue: value("flags"))
    record.detail = value("detail")
    record.millivolts = value("millivolts")
    record.batteryPercent = value("battery_percent")
    record.position.quality = PositionQuality(rawValue: value("fix_quality"))!
    record.position.latitude = value("latitude")
    record.position.longitude = value("longitude")
    record.position.age = value("fix_age")
    record.position.accuracy = value("fix_accuracy")
    record.position.satellites = value("satellites")
    if let covered = tail?.first {
      record.firstCovered = EventNumber(rawValue: covered["first_covered"]!.integer())
      record.covered = covered["covered"]!.integer()
    }
    return record
  }

  var indicate: Indicate {
    Indicate(
      session: value("session_nonce"), incident: value("incident"), revision: value("revision"),
      state: ShownState(rawValue: value("state"))!, detail: value("detail"),
      sounder: value("flags", as: UInt8.self) & 1 == 1, lease: value("lease"))
  }

  var ledState: LEDState {
    let flags = value("flags", as: UInt8.self)
    return LEDState(
      clock: value("clock"), shown: ShownState(rawValue: value("shown_state"))!,
      detail: value("detail"), sounder: flags & 1 == 1,
      source: flags & 4 != 0 ? .bench : flags & 2 != 0 ? .lease : .own,
      session: value("session_nonce"), revision: value("revision"))
  }

  var fix: PositionFix {
    var fix = PositionFix()
    fix.clock = value("clock")
    fix.quality = PositionQuality(rawValue: value("quality"))!
    fix.latitude = value("latitude")
    fix.longitude = value("longitude")
    fix.altitude = value("altitude")
    fix.accuracy = value("accuracy")
    fix.satellites = value("satellites")
    fix.utc = value("utc")
    return fix
  }
}
