import Capture
import FobBase
import TestSupport
import Testing
import WireProtocol

@Suite struct ReplayTests {
  /// Presses a second and more apart, other events at any time.
  private static func keychain(
    using random: inout SeededGenerator, device: DeviceID = .bench(7), boot: UInt32 = 1
  ) -> (ToyKeychain, firstPress: Int64) {
    var at = Int64.random(in: 400_000...3_000_000, using: &random)
    let firstPress = at
    var events: [(at: Instant, kind: EventKind)] = []
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      events.append((Instant(microseconds: at), .pressed))
      let held = Int64.random(in: 20_000...400_000, using: &random)
      events.append((Instant(microseconds: at + held), .released))
      at += Int64.random(in: 1_000_000...2_000_000, using: &random)
    }
    let nonce = UInt32.random(in: 1 ... .max, using: &random)
    return (ToyKeychain(device, events: events, nonce: nonce, boot: boot), firstPress)
  }

  @Test(arguments: [ReplayPlayer.Pace.asCaptured, .fast])
  func `played to a host that does the same, any capture is the same`(
    pace: ReplayPlayer.Pace
  ) throws {
    for seed in 1...30 as ClosedRange<UInt64> {
      var random = SeededGenerator(seed: seed)
      let (keychain, firstPress) = Self.keychain(using: &random)
      var packets = ReplayWorld.record(keychain, seconds: 8, seed: seed)
      // A capture that began within the session, before the first press, and ended anywhere.
      let first = ReplayWorld.base + Int64.random(in: 0..<firstPress, using: &random)
      let last = ReplayWorld.base + Int64.random(in: firstPress...8_000_000, using: &random)
      packets = packets.filter { (first...last).contains($0.microseconds) }
      guard let script = try? ReplayScript(RecordedLine(packets, line: nil), as: .device) else {
        continue
      }
      let (player, _) = ReplayWorld.replayDevice(script, pace: pace, seed: seed + 1_000)
      let comparison = ReplayComparison(script, now: player.heardMeanings)
      #expect(comparison.isSame, "seed \(seed): \(comparison.rows)")
      #expect(comparison.count(.same) == script.expected.count, "seed \(seed)")
      #expect(player.played == script.frames)
    }
  }

  @Test(arguments: [ReplayPlayer.Pace.asCaptured, .fast])
  func `a host that does otherwise is different, and it is said in what`(
    pace: ReplayPlayer.Pace
  ) throws {
    for seed in 1...8 as ClosedRange<UInt64> {
      var random = SeededGenerator(seed: seed)
      let (keychain, _) = Self.keychain(using: &random)
      let packets = ReplayWorld.record(keychain, seconds: 9, seed: seed)
      let script = try ReplayScript(RecordedLine(packets, line: nil), as: .device)
      func compared(_ habits: ToyHost.Habits) -> ReplayComparison {
        let (player, _) = ReplayWorld.replayDevice(script, to: habits, pace: pace, seed: seed)
        return ReplayComparison(script, now: player.heardMeanings)
      }
      let acks = script.expected.filter { $0.meaning.subject == .acked }
      let silent = compared(.init(acks: false))
      #expect(Self.texts(silent, .missing) == Set(acks.map(\.meaning.text)))
      #expect(silent.count(.missing) == acks.count && silent.count(.new) == 0)
      let wrong = compared(.init(acksWrongly: true))
      #expect(Self.texts(wrong, .missing) == Set(acks.map(\.meaning.text)))
      #expect(
        Self.texts(wrong, .new) == Set(acks.map { $0.meaning.text + ", with another identity" }))
      let failing = compared(.init(outcome: .failed))
      #expect(Self.texts(failing, .missing) == ["accepted, sounder"])
      #expect(Self.texts(failing, .new) == ["failed, sounder"])
      let detour = compared(.init(detour: .countdown))
      #expect(
        Self.texts(detour, .missing) == [] && Self.texts(detour, .new) == ["countdown, sounder"])
    }
  }

  @Test func `its own timing takes as long as the capture, fast takes less`() throws {
    var random = SeededGenerator(seed: 4)
    let packets = ReplayWorld.record(Self.keychain(using: &random).0, seconds: 10, seed: 4)
    let script = try ReplayScript(RecordedLine(packets, line: nil), as: .device)
    let began = Instant(microseconds: 77_000_000)
    let (slow, slowEnd) = ReplayWorld.replayDevice(script, pace: .asCaptured, seed: 5)
    #expect(slowEnd - began >= .microseconds(script.line.duration))
    #expect(slowEnd - began <= .microseconds(script.line.duration) + .milliseconds(10))
    for (then, now) in zip(script.expected, slow.heardMeanings) {
      #expect(abs(then.at - now.at) < 100_000)
    }
    let (_, fastEnd) = ReplayWorld.replayDevice(script, pace: .fast, seed: 5)
    #expect(fastEnd - began < .seconds(2))
  }

  @Test func `a keychain of the field is played with the bench bit, and linked`()
    throws
  {
    var random = SeededGenerator(seed: 2)
    let real = DeviceID(rawValue: 0x1234_5678)
    let (keychain, _) = Self.keychain(using: &random, device: real)
    let packets = ReplayWorld.record(keychain, seconds: 6, seed: 2)
    let script = try ReplayScript(RecordedLine(packets, line: nil), as: .device)
    var player = ReplayPlayer(script, pace: .asCaptured, patience: .seconds(1))
    var link = HostLink(
      session: 9, software: SoftwareVersion(major: 0, minor: 0, patch: 1),
      at: Instant(microseconds: 0))
    var now = Instant(microseconds: 0)
    var devices: Set<DeviceID> = []
    while !player.isFinished(at: now), now < Instant(microseconds: 20_000_000) {
      while let frame = link.nextFrame(at: now) { player.heard(frame.wire, at: now) }
      while let bytes = player.nextBytes(at: now) {
        bytes.withUnsafeBytes { bytes in
          var chunk = bytes
          while let report = link.next(&chunk, at: now) {
            switch report {
            case .hello(let hello): devices.insert(hello.deviceID)
            case .event(let record): devices.insert(record.identity.deviceID)
            default: break
            }
          }
        }
      }
      now = now + .milliseconds(5)
    }
    #expect(devices == [DeviceID(rawValue: 0x8000_0000_1234_5678)])
    #expect(link.fit != nil, "its clock is answered")
    #expect(link.session == 9, "a clock that ran backwards would be a boot")
  }

  @Test func `the clock that is answered is never ahead of a heartbeat that comes`() throws {
    for seed in 1...10 as ClosedRange<UInt64> {
      var random = SeededGenerator(seed: seed)
      let keychain = Self.keychain(using: &random).0
      // Whoever took them down was late by a little, now more and now less.
      let packets = ReplayWorld.record(keychain, seconds: 6, seed: seed).map { packet in
        var late = packet
        late.microseconds += Int64.random(in: 0...40_000, using: &random)
        return late
      }
      let script = try ReplayScript(RecordedLine(packets, line: nil), as: .device)
      var player = ReplayPlayer(script, pace: .asCaptured, patience: .seconds(1))
      var now = Instant(microseconds: 0)
      let software = SoftwareVersion(major: 0, minor: 1, patch: 0)
      player.heard(Self.wire(Hello(role: .host, session: 3, software: software)), at: now)
      var latest: UInt64 = 0
      var beats = 0
      while !player.isFinished(at: now) {
        player.heard(Self.wire(TimeRequest(hostSend: 1, session: 3)), at: now)
        while let bytes = player.nextBytes(at: now) {
          guard case .frame(let frame)? = Sample.described(wire: bytes).first?.content else {
            continue
          }
          for field in frame.fields {
            guard case .unsigned(let clock) = field.value else { continue }
            if field.name == "device_send" { latest = clock }
            if field.name == "uptime" {
              #expect(clock >= latest, "seed \(seed)")
              beats += 1
            }
          }
        }
        now = now + .milliseconds(1)
      }
      #expect(beats >= 5 && latest > 5_000_000)
    }
  }

  private static func wire(_ payload: some Payload) -> [UInt8] {
    WireFrame(FrameBody(payload, sequence: 0)).wire
  }

  @Test func `a host that is played opens the session, and acks what there is now`() throws {
    for pace in [ReplayPlayer.Pace.asCaptured, .fast] {
      var random = SeededGenerator(seed: 6)
      let (keychain, firstPress) = Self.keychain(using: &random)
      let packets = ReplayWorld.record(keychain, seconds: 8, seed: 6).filter {
        $0.microseconds > ReplayWorld.base + firstPress - 300_000
      }
      let script = try ReplayScript(RecordedLine(packets, line: nil), as: .host)
      var player = ReplayPlayer(script, pace: pace, patience: .seconds(1))
      // Another keychain with the same story, and a boot of its own.
      random = SeededGenerator(seed: 6)
      var now = Self.keychain(using: &random, device: .bench(8), boot: 9).0
      var clock = Instant(microseconds: 0)
      player.opened(at: clock)
      var said: [String] = []
      while !player.isFinished(at: clock), clock < Instant(microseconds: 60_000_000) {
        var toHost = now.turn(at: clock)
        while let bytes = player.nextBytes(at: clock) {
          for run in Sample.described(wire: bytes, direction: .toDevice) {
            said.append(run.typeName ?? "damaged")
          }
          toHost += now.hear(bytes, at: clock)
        }
        for bytes in toHost { player.heard(bytes, at: clock) }
        clock = clock + ReplayWorld.tick
      }
      let comparison = ReplayComparison(script, now: player.heardMeanings)
      #expect(comparison.isSame, "\(pace): \(comparison.rows)")
      #expect(said.first == "HELLO", "the device obeys nobody who has not said it")
      #expect(now.isAllAcked, "an ack names the event that is there, not that of then")
    }
  }

  @Test func `compared with itself all is the same; what is taken or put in is missing or new`()
    throws
  {
    for seed in 1...200 as ClosedRange<UInt64> {
      var random = SeededGenerator(seed: seed)
      let (keychain, _) = Self.keychain(using: &random)
      let packets =
        seed % 40 == 1 ? ReplayWorld.record(keychain, seconds: 8, seed: seed) : Self.story
      let script = try ReplayScript(RecordedLine(packets, line: nil), as: .device)
      #expect(
        ReplayComparison(script, now: script.expected).rows.allSatisfy { $0.verdict == .same })
      var now = script.expected
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let at = Int.random(in: 0...now.count, using: &random)
        if Bool.random(using: &random), at < now.count {
          now.remove(at: at)
        } else {
          let other = Meaning(.shown, ["failed", "idle", "due 2"].randomElement(using: &random)!)
          now.insert(TimedMeaning(at: 1, other), at: at)
        }
      }
      let comparison = ReplayComparison(script, now: now)
      let same = comparison.count(.same)
      #expect(same + comparison.count(.missing) == script.expected.count, "seed \(seed)")
      #expect(comparison.rows.count - comparison.count(.missing) == now.count, "seed \(seed)")
      #expect(
        comparison.rows.allSatisfy {
          ($0.then == nil) != ($0.verdict == .same || $0.verdict == .missing)
        })
    }
  }

  private static let story: [CapturedPacket] = {
    var random = SeededGenerator(seed: 1)
    return ReplayWorld.record(keychain(using: &random).0, seconds: 8, seed: 1)
  }()

  @Test func `any capture and any answer are played without a trap`() {
    for seed in 1...25 as ClosedRange<UInt64> {
      var random = SeededGenerator(seed: seed)
      var packets = Self.story
      for _ in 0..<40 {
        let index = Int.random(in: packets.indices, using: &random)
        if packets[index].bytes.isEmpty { continue }
        let at = Int.random(in: packets[index].bytes.indices, using: &random)
        packets[index].bytes[at] = UInt8.random(in: 0...255, using: &random)
      }
      packets += CaptureSample.packets(using: &random).map {
        CapturedPacket(
          device: "bench", microseconds: $0.microseconds, direction: $0.direction, bytes: $0.bytes)
      }
      for end in ReplayEnd.allCases {
        guard let script = try? ReplayScript(RecordedLine(packets, line: "bench"), as: end) else {
          continue
        }
        var player = ReplayPlayer(script, pace: .fast, patience: .milliseconds(1))
        var now = Instant(microseconds: 0)
        player.opened(at: now)
        for _ in 0..<500 where !player.isFinished(at: now) {
          player.heard(packets.randomElement(using: &random)!.bytes, at: now)
          while player.nextBytes(at: now) != nil {}
          now = now + .seconds(Int64.random(in: 0...1 << 40, using: &random))
        }
        _ = ReplayComparison(script, now: player.heardMeanings)
      }
    }
  }

  @Test func `what cannot be replayed says why, and how to fix it`() throws {
    func message(_ packets: [CapturedPacket], _ line: String?, _ end: ReplayEnd) -> String {
      do throws(RecordedLineError) {
        _ = try ReplayScript(RecordedLine(packets, line: line), as: end)
        return ""
      } catch {
        return error.description
      }
    }
    let story = Self.story
    var second = story
    second[0].device = "other"
    #expect(message([], nil, .device) == "it holds no packet")
    #expect(message(second, nil, .device).contains("--line: other, bench"))
    #expect(message(story, "bunch", .device).contains("no line 'bunch'"))
    let oneWay = story.filter { $0.direction == .toHost }
    #expect(message(oneWay, nil, .host).contains("nothing to play"))
    #expect(message(oneWay, nil, .device).contains("no ack, no state"))
    #expect(message(story, nil, .device) == "" && message(story, "bench", .host) == "")
  }

  private static func texts(
    _ comparison: ReplayComparison, _ verdict: ReplayComparison.Verdict
  ) -> Set<String> {
    Set(comparison.rows.filter { $0.verdict == verdict }.map(\.meaning.text))
  }
}
