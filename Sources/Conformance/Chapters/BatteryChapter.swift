import FobBase
import WireProtocol

/// Cases of battery levels and their reports: PROTOCOL.md, 10.
enum BatteryChapter {
  static let cases = [
    ConformanceCase(
      .battery, "present-or-not", "10",
      "a device that says it has no battery tells no level, and one that does not say so may"
    ) { talk in
      try talk.wait(.milliseconds(2_500))
      let beat = try talk.nextHeartbeat().value
      guard talk.device.capabilities & Hello.hasNoBattery != 0 else {
        return try talk.check(
          beat.batteryPercent <= 100 || beat.batteryPercent == 255,
          "HEARTBEAT says \(beat.batteryPercent) %")
      }
      try talk.check(beat.batteryPercent, is: 255, "the charge in HEARTBEAT, without a battery")
      try talk.check(beat.millivolts, is: 0, "the voltage in HEARTBEAT, without a battery")
      try talk.check(
        !talk.heard.contains { $0.isA(.battery) }, "it says NO_BATTERY, and sends BATTERY")
      try talk.check(levels(talk).isEmpty, "it says NO_BATTERY, and made \(levels(talk))")
    },
    ConformanceCase(
      .battery, "low", "10", needs: [.battery], "a low battery is an event, and told by BATTERY"
    ) { talk in
      try charge(talk, 60)
      try talk.perform(.battery(percent: 17))
      let event = try talk.expectEvent(.batteryLow, within: .milliseconds(2_500)).value
      try talk.check(event.batteryPercent <= 20, "the event says \(event.batteryPercent) %")
      let report = try talk.expect(BatteryReading.self, "BATTERY low", within: .seconds(1)) {
        $0.level == .low
      }.value
      try talk.check(report.percent <= 20, "BATTERY says \(report.percent) %")
      try talk.check(report.millivolts, is: event.millivolts, "its voltage")
    },
    ConformanceCase(
      .battery, "critical", "10", needs: [.battery],
      "critical is an event of its own, and getting better another"
    ) { talk in
      try charge(talk, 60)
      for (percent, kind, level) in [
        (17, EventKind.batteryLow, BatteryLevel.low), (3, .batteryCritical, .critical),
        (14, .batteryRecovered, .low), (60, .batteryRecovered, .normal),
      ] {
        try talk.perform(.battery(percent: UInt8(percent)))
        _ = try talk.expectEvent(kind, within: .milliseconds(2_500))
        _ = try talk.expect(BatteryReading.self, "BATTERY \(level)", within: .seconds(1)) {
          $0.level == level
        }
      }
    },
    ConformanceCase(
      .battery, "straight-down", "10", needs: [.battery],
      "from normal to critical and back it makes one event each"
    ) { talk in
      try charge(talk, 60)
      try talk.perform(.battery(percent: 3))
      try talk.wait(.milliseconds(2_500))
      var kinds = levels(talk)
      try talk.check(kinds == [.batteryCritical], "on the way down it made \(kinds)")
      try talk.perform(.battery(percent: 80))
      try talk.wait(.milliseconds(2_500))
      kinds = levels(talk)
      try talk.check(kinds == [.batteryRecovered], "on the way up it made \(kinds)")
    },
    ConformanceCase(
      .battery, "hysteresis", "10", needs: [.battery],
      "a charge that comes back by a little is no recovery"
    ) { talk in
      try charge(talk, 60)
      try talk.perform(.battery(percent: 17))
      _ = try talk.expectEvent(.batteryLow, within: .milliseconds(2_500))
      try talk.wait(.milliseconds(300))
      try talk.perform(.battery(percent: 21))
      try talk.expectNone(EventRecord.self, "an event", for: .milliseconds(2_500))
    },
    ConformanceCase(
      .battery, "thresholds", "10", needs: [.gauge],
      "low at 20 and normal at 22, critical at 5 and low again at 7, to the per cent"
    ) { talk in
      try charge(talk, 60)
      for (percent, kind) in [
        (21, nil), (20, .batteryLow), (21, nil), (22, .batteryRecovered), (20, .batteryLow),
        (6, nil), (5, .batteryCritical), (6, nil), (7, .batteryRecovered), (5, .batteryCritical),
        (22, .batteryRecovered),
      ] as [(UInt8, EventKind?)] {
        try talk.perform(.battery(percent: percent))
        try talk.wait(.milliseconds(1_200))
        let kinds = levels(talk)
        try talk.check(kinds == [kind].compactMap { $0 }, "at \(percent) % it made \(kinds)")
      }
    },
    ConformanceCase(
      .battery, "each-minute", "10", isLong: true, "BATTERY comes each 60 s"
    ) { talk in
      talk.beginsNow()
      let first = try talk.expect(BatteryReading.self, "BATTERY", within: .milliseconds(61_500))
      let second = try talk.expect(
        BatteryReading.self, "BATTERY", within: .milliseconds(61_500), after: first.frame)
      let apart = (second.frame.at - first.frame.at).microseconds / 1_000
      try talk.check(abs(apart - 60_000) <= 1_100, "two of them are \(apart) ms apart")
    },
    ConformanceCase(
      .battery, "everywhere-the-same", "3", needs: [.battery, .button],
      "HEARTBEAT and events carry the charge"
    ) { talk in
      try charge(talk, 50)
      let beat = try talk.nextHeartbeat().value
      try talk.check(
        (47...52).contains(beat.batteryPercent), "HEARTBEAT says \(beat.batteryPercent) %")
      try talk.press()
      let event = try talk.expectEvent(.pressed).value
      try talk.check(
        (47...52).contains(event.batteryPercent), "the press says \(event.batteryPercent) %")
    },
    ConformanceCase(
      .battery, "critical-press", "4.3", needs: [.battery, .button],
      "a press at a critical charge is sent like any other"
    ) { talk in
      try talk.perform(.battery(percent: 4))
      try talk.wait(.milliseconds(1_500))
      try talk.press()
      _ = try talk.expectEvent(.pressed)
      try talk.wait(.milliseconds(150))
      try talk.perform(.battery(percent: 87))
    },
    ConformanceCase(
      .battery, "low-light", "7.2", needs: [.battery],
      "a low battery is shown in place of idle, and of nothing else"
    ) { talk in
      try charge(talk, 60)
      try talk.indicate(.idle, revision: 1, lease: 10_000)
      _ = try talk.expectShown(.idle)
      try talk.perform(.battery(percent: 17))
      _ = try talk.expectShown(.lowBattery, within: .milliseconds(2_500))
      try talk.indicate(.accepted, revision: 2, lease: 10_000)
      _ = try talk.expectShown(.accepted)
      try talk.indicate(.idle, revision: 3, lease: 10_000)
      _ = try talk.expectShown(.lowBattery)
      try talk.perform(.battery(percent: 60))
      _ = try talk.expectShown(.idle, within: .milliseconds(2_500))
    },
  ]

  /// Sets the charge, waits until the device has read it, and takes the reports that this causes.
  private static func charge(_ talk: Conversation, _ percent: UInt8) throws {
    try talk.perform(.battery(percent: percent))
    _ = try talk.expect(
      Heartbeat.self, "HEARTBEAT with about \(percent) %", within: .milliseconds(2_500)
    ) { abs(Int($0.batteryPercent) - Int(percent)) <= 4 }
    try talk.settle()
  }

  private static func levels(_ talk: Conversation) -> [EventKind] {
    var seen: Set<EventNumber> = []
    return talk.sinceMark.compactMap { $0.read(EventRecord.self)?.identity }
      .filter { seen.insert($0.number).inserted }.compactMap(\.kind)
  }
}
