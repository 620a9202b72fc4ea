import Capture
import FobBase
import TestSupport
import WireProtocol

extension WireFrame {
  var wire: [UInt8] { withBytes { Array($0) } }
}

/// A host in virtual time: the real link, and the least of a core behind it. It acks what it hears
/// after a while, and a press makes it show sending, then accepted.
struct ToyHost {
  struct Habits {
    var acks = true
    /// What a press is told as in the end.
    var outcome = ShownState.accepted
    /// What it shows between sending and the outcome.
    var detour: ShownState?
    /// Other numbers than those of the event.
    var acksWrongly = false
  }

  private var link: HostLink
  private let habits: Habits
  private var random: SeededGenerator
  private var due: [(at: Instant, does: Reaction)] = []
  private var known: Set<EventIdentity> = []

  private enum Reaction {
    case ack(EventAck)
    case show(ShownState)
  }

  init(_ habits: Habits, seed: UInt64, at now: Instant) {
    self.habits = habits
    random = SeededGenerator(seed: seed)
    link = HostLink(
      session: UInt32.random(in: 1 ... .max, using: &random),
      software: SoftwareVersion(major: 0, minor: 1, patch: 0), at: now)
    link.indicate(Indication(state: .idle), at: now)
  }

  mutating func hear(_ bytes: [UInt8], at now: Instant) -> [[UInt8]] {
    var records: [EventRecord] = []
    bytes.withUnsafeBytes { bytes in
      var chunk = bytes
      while let report = link.next(&chunk, at: now) {
        if case .event(let record) = report { records.append(record) }
      }
    }
    var said: [[UInt8]] = []
    for record in records {
      let delay = Interval.milliseconds(Int64.random(in: 1...30, using: &random))
      var ack = EventAck(record.identity)
      if habits.acksWrongly { ack.identityCRC ^= 1 }
      if habits.acks { due.append((now + delay, .ack(ack))) }
      guard known.insert(record.identity).inserted, record.identity.kind == .pressed else {
        continue
      }
      said += show(.sending, at: now)
      if let detour = habits.detour { due.append((now + .milliseconds(20), .show(detour))) }
      due.append((now + .milliseconds(30) + delay, .show(habits.outcome)))
    }
    return said
  }

  mutating func turn(at now: Instant) -> [[UInt8]] {
    var said: [[UInt8]] = []
    due.sort { $0.at < $1.at }
    while let first = due.first, first.at <= now {
      due.removeFirst()
      switch first.does {
      case .ack(let ack): said.append(link.frame(ack, at: now).wire)
      case .show(let state): said += show(state, at: now)
      }
    }
    while let frame = link.nextFrame(at: now) { said.append(frame.wire) }
    return said
  }

  private mutating func show(_ state: ShownState, at now: Instant) -> [[UInt8]] {
    link.indicate(Indication(incident: 1, state: state, sounder: true), at: now)
    var said: [[UInt8]] = []
    while let frame = link.nextFrame(at: now) { said.append(frame.wire) }
    return said
  }
}

/// A keychain in virtual time: it answers HELLO and the time, beats each second, and makes events
/// at its times, each sent until it is acked.
struct ToyKeychain {
  private let device: DeviceID
  private let nonce: UInt32
  private var sequence: UInt16 = 0
  private let boot: UInt32
  private var events: [(at: Instant, kind: EventKind)]
  private var unacked: [(record: EventRecord, again: Instant)] = []
  private var nextBeat: Instant
  private var number: UInt32 = 0
  private var cutter = FrameSplitter()

  init(
    _ device: DeviceID, events: [(at: Instant, kind: EventKind)], nonce: UInt32, boot: UInt32
  ) {
    self.boot = boot
    self.device = device
    self.events = events
    self.nonce = nonce
    nextBeat = Instant(microseconds: 300_000)
  }

  /// It has told all that it had to, and nothing of it waits for an ack.
  var isAllAcked: Bool { events.isEmpty && unacked.isEmpty }

  mutating func hear(_ bytes: [UInt8], at now: Instant) -> [[UInt8]] {
    var said: [[UInt8]] = []
    for run in cutter.cut(bytes) {
      guard case .frame(let body) = run.content else { continue }
      Array(body[4...]).withUnsafeBytes { payload in
        switch MessageType(rawValue: body[1]) {
        case .hello:
          guard let asked = Hello(payload) else { return }
          var hello = Hello(role: .device, session: asked.session, software: asked.software)
          hello.deviceID = device
          hello.bootCounter = boot
          hello.bootNonce = nonce
          said.append(frame(hello))
        case .timeRequest:
          guard let request = TimeRequest(payload) else { return }
          let clock = UInt64(now.microseconds)
          said.append(
            frame(TimeResponse(to: request, receive: clock, send: clock, bootNonce: nonce)))
        case .eventAck:
          guard let ack = EventAck(payload) else { return }
          unacked.removeAll { $0.record.identity.number == ack.number }
        default: break
        }
      }
    }
    return said
  }

  mutating func turn(at now: Instant) -> [[UInt8]] {
    var said: [[UInt8]] = []
    while let next = events.first, next.at <= now {
      events.removeFirst()
      number += 1
      let record = EventRecord(
        EventIdentity(
          deviceID: device, number: EventNumber(boot: boot, n: number), kind: next.kind,
          clock: UInt64(now.microseconds), bootNonce: nonce))
      unacked.append((record, now))
    }
    for index in unacked.indices where unacked[index].again <= now {
      said.append(frame(unacked[index].record))
      unacked[index].again = now + .milliseconds(100)
    }
    if now >= nextBeat {
      nextBeat = nextBeat + .seconds(1)
      var beat = Heartbeat()
      beat.uptime = UInt64(now.microseconds)
      said.append(frame(beat))
    }
    return said
  }

  private mutating func frame(_ payload: some Payload) -> [UInt8] {
    defer { sequence &+= 1 }
    return WireFrame(FrameBody(payload, sequence: sequence)).wire
  }
}

/// What the two say to each other, and the same with one of them played.
enum ReplayWorld {
  static let tick = Interval.milliseconds(2)
  static let base: Int64 = 1_700_000_000_000_000

  static func record(
    _ keychain: ToyKeychain, _ habits: ToyHost.Habits = .init(), seconds: Int64, seed: UInt64
  ) -> [CapturedPacket] {
    var keychain = keychain
    var now = Instant(microseconds: 0)
    var host = ToyHost(habits, seed: seed, at: now)
    var packets: [CapturedPacket] = []
    func take(_ said: [[UInt8]], _ direction: Direction) {
      packets += said.map {
        CapturedPacket(
          device: "bench", microseconds: base + now.microseconds, direction: direction, bytes: $0)
      }
    }
    while now < Instant(microseconds: 0) + .seconds(seconds) {
      var toDevice = host.turn(at: now)
      take(toDevice, .toDevice)
      var toHost = keychain.turn(at: now)
      // Until neither has anything to say to what the other has said.
      while !toDevice.isEmpty || !toHost.isEmpty {
        let answers = toDevice.flatMap { keychain.hear($0, at: now) }
        take(toHost + answers, .toHost)
        toDevice = (toHost + answers).flatMap { host.hear($0, at: now) }
        take(toDevice, .toDevice)
        toHost = []
      }
      now = now + tick
    }
    return packets
  }

  /// - Returns: the player when it has ended, and when that was.
  static func replayDevice(
    _ script: ReplayScript, to habits: ToyHost.Habits = .init(), pace: ReplayPlayer.Pace,
    seed: UInt64
  ) -> (player: ReplayPlayer, end: Instant) {
    var player = ReplayPlayer(script, pace: pace, patience: .seconds(1))
    var now = Instant(microseconds: 77_000_000)
    var host = ToyHost(habits, seed: seed, at: now)
    player.opened(at: now)
    while !player.isFinished(at: now), now < Instant(microseconds: 600_000_000) {
      var toDevice = host.turn(at: now)
      var isQuiet = false
      while !isQuiet {
        for bytes in toDevice { player.heard(bytes, at: now) }
        toDevice = []
        isQuiet = true
        while let bytes = player.nextBytes(at: now) {
          isQuiet = false
          toDevice += host.hear(bytes, at: now)
        }
      }
      now = now + tick
    }
    return (player, now)
  }
}
