import WireProtocol

/// One describer for each message, in the order of `messages.json`.
extension MessageLayout {
  static let session: [MessageLayout] = [
    MessageLayout(
      .hello, "HELLO",
      [
        Field("role", .u8, .names(["device", "host"])), Field("version_min", .u8),
        Field("version_max", .u8), Field("reset_cause", .u8, .names(NamedValues.resetCauses)),
        Field("capabilities", .u32, .hex), Field("max_frame", .u16, .unit("bytes")),
        Field("table_hash", .u32, .hex), Field("session_nonce", .u32, .hex),
        Field("device_id", .u64, .hex), Field("boot_counter", .u32),
        Field("boot_nonce", .u32, .hex), Field("oldest_unacked", .u64, .eventNumber),
        Field("firmware_version", .bytes(3), .version),
      ],
      telling: [
        Telling("role"), Telling("device_id", hiddenAtZero: true),
        Telling("boot_counter", "boot", hiddenAtZero: true),
        Telling("reset_cause", hiddenAtZero: true), Telling("session_nonce", "session"),
        Telling("oldest_unacked", "unacked from", hiddenAtZero: true),
      ]),
    MessageLayout(
      .timeRequest, "TIME_REQ",
      [Field("host_send", .u64, .seconds), Field("session_nonce", .u32, .hex)],
      telling: [Telling("host_send")]),
    MessageLayout(
      .timeResponse, "TIME_RESP",
      [
        Field("host_send", .u64, .seconds), Field("device_receive", .u64, .seconds),
        Field("device_send", .u64, .seconds), Field("boot_nonce", .u32, .hex),
        Field("session_nonce", .u32, .hex),
      ],
      telling: [Telling("host_send", "to"), Telling("device_receive", "device clock")]),
    MessageLayout(
      .heartbeat, "HEARTBEAT",
      [
        Field("uptime", .u64, .seconds), Field("millivolts", .u16, .unit("mV")),
        Field("battery_percent", .u8, .percent), Field("unacked", .u8),
        Field("shown_state", .u8, .names(NamedValues.shownStates)),
        Field("flags", .u8, .bits(["sounder", "button closed", "store failing", "ring full"])),
        Field("rx_damaged", .u32), Field("tx_dropped", .u32), Field("evicted", .u32),
        Field("merged", .u32),
      ],
      telling: [
        Telling("uptime", "up"), Telling("battery_percent"), Telling("shown_state", "shows"),
        Telling("unacked", "unacked"), Telling("flags", hiddenAtZero: true),
        Telling("rx_damaged", "damaged", hiddenAtZero: true),
        Telling("tx_dropped", "dropped", hiddenAtZero: true),
      ]),
    MessageLayout(
      .reject, "REJECT",
      [
        Field("rejected_type", .u8, .messageType),
        Field("reason", .u8, .names(NamedValues.rejectReasons)), Field("rejected_seq", .u16),
      ],
      telling: [Telling("rejected_type"), Telling("rejected_seq", "seq"), Telling("reason")]),
  ]

  static let events: [MessageLayout] = [
    MessageLayout(
      .event, "EVENT",
      [
        Field("device_id", .u64, .hex), Field("event_no", .u64, .eventNumber),
        Field("kind", .u8, .names(NamedValues.eventKinds)), Field("clock", .u64, .seconds),
        Field("boot_nonce", .u32, .hex), Field("commit_delta", .u32, .decimal(3, "ms")),
        Field("flags", .u8, .bits(["AT_BOOT", "REPLAYED", "MERGED", "VOLATILE"])),
        Field(
          "detail", .u8,
          .by(
            "kind", [3: .names(NamedValues.resetCauses), 7: .names(NamedValues.faults)],
            else: .number)),
        Field("millivolts", .u16, .unit("mV")), Field("battery_percent", .u8, .percent),
        Field("fix_quality", .u8, .names(NamedValues.fixQualities)),
        Field("latitude", .i32, .decimal(7, "°")), Field("longitude", .i32, .decimal(7, "°")),
        Field("fix_age", .u32, .unless(0xFFFF_FFFF, "never a fix", .decimal(3, "s"))),
        Field("fix_accuracy", .u16, .unless(0xFFFF, "unknown", .decimal(1, "m"))),
        Field("satellites", .u8),
      ],
      rest: .ifFlag(
        4, [Field("first_covered", .u64, .eventNumber), Field("covered", .u16, .unit("presses"))]),
      telling: [
        Telling("event_no"), Telling("kind"), Telling("detail", hiddenAtZero: true),
        Telling("flags", hiddenAtZero: true), Telling("covered", "covers"),
        Telling("battery_percent"),
      ]),
    MessageLayout(
      .eventAck, "EVENT_ACK",
      [Field("event_no", .u64, .eventNumber), Field("identity_crc", .u32, .hex)],
      telling: [Telling("event_no")]),
  ]

  static let light: [MessageLayout] = [
    MessageLayout(
      .indicate, "INDICATE",
      [
        Field("session_nonce", .u32, .hex), Field("incident", .u64, .hex),
        Field("revision", .u32), Field("state", .u8, .names(NamedValues.shownStates)),
        Field("detail", .u8), Field("flags", .u8, .bits(["sounder"])),
        Field("lease", .u16, .decimal(3, "s")),
      ],
      telling: [
        Telling("state"), Telling("detail", hiddenAtZero: true),
        Telling("flags", hiddenAtZero: true), Telling("lease", "for"),
        Telling("revision", "revision"),
      ]),
    MessageLayout(
      .ledSet, "LED_SET",
      [
        Field("state", .u8, .names(NamedValues.shownStates)), Field("detail", .u8),
        Field("duration", .u16, .decimal(3, "s")),
      ], telling: [Telling("state"), Telling("duration", "for")]),
    MessageLayout(
      .ledState, "LED_STATE",
      [
        Field("clock", .u64, .seconds), Field("shown_state", .u8, .names(NamedValues.shownStates)),
        Field("detail", .u8), Field("flags", .u8, .bits(["sounder", "by lease", "by LED_SET"])),
        Field("session_nonce", .u32, .hex), Field("revision", .u32),
      ],
      telling: [
        Telling("shown_state"), Telling("detail", hiddenAtZero: true),
        Telling("flags", hiddenAtZero: true),
      ]),
  ]

  static let readings: [MessageLayout] = [
    MessageLayout(
      .battery, "BATTERY",
      [
        Field("clock", .u64, .seconds), Field("millivolts", .u16, .unit("mV")),
        Field("percent", .u8, .percent),
        Field("level", .u8, .names(["normal", "low", "critical"])),
      ], telling: [Telling("percent"), Telling("millivolts"), Telling("level")]),
    MessageLayout(
      .gpsFix, "GPS_FIX",
      [
        Field("clock", .u64, .seconds), Field("quality", .u8, .names(NamedValues.fixQualities)),
        Field("latitude", .i32, .decimal(7, "°")), Field("longitude", .i32, .decimal(7, "°")),
        Field("altitude", .i32, .decimal(2, "m")),
        Field("accuracy", .u16, .unless(0xFFFF, "unknown", .decimal(1, "m"))),
        Field("satellites", .u8), Field("utc", .u32, .unless(0, "unknown", .civilTime)),
      ],
      telling: [
        Telling("quality"), Telling("latitude"), Telling("longitude"), Telling("accuracy", "±"),
      ]),
    MessageLayout(
      .config, "CONFIG",
      [Field("key", .u16, .names(NamedValues.configKeys)), Field("value", .u32)],
      telling: [Telling("key"), Telling("value", "=")]),
    MessageLayout(
      .configResult, "CONFIG_RESULT",
      [
        Field("key", .u16, .names(NamedValues.configKeys)), Field("value", .u32),
        Field("result", .u8, .names(["done", "unknown key", "out of range"])),
      ], telling: [Telling("key"), Telling("value", "="), Telling("result")]),
  ]

  static let texts: [MessageLayout] = [
    MessageLayout(
      .firmwareInfo, "FW_INFO", [],
      rest: .texts([Field("board", .rest, .text), Field("build", .rest, .text)]),
      telling: [Telling("board"), Telling("build")]),
    MessageLayout(
      .trace, "TRACE", [Field("first", .u32)],
      rest: .entries([
        Field("clock", .u64, .seconds), Field("code", .u8, .names(NamedValues.traceCodes)),
        Field("argument", .u64, .traceArgument),
      ]), telling: [Telling("first", "from")]),
    MessageLayout(
      .log, "LOG", [Field("level", .u8, .names(["debug", "info", "warning", "error"]))],
      rest: .texts([Field("text", .rest, .text)]), telling: [Telling("level"), Telling("text")]),
    MessageLayout(
      .nmeaRaw, "NMEA_RAW", [], rest: .texts([Field("bytes", .rest, .text)]),
      telling: [Telling("bytes")]),
  ]
}
