import Emulator
import FobBase
import WireProtocol

/// Somebody who holds the wires between keychains and hosts, and has no key. He reads all frames,
/// and does what the schedule says. Pure: frames and time in, frames out.
struct Attacker {
  /// Bytes for one end of a line.
  struct Sending {
    let line: Int
    let way: WireWay
    let bytes: [UInt8]
  }

  private struct Line {
    var tap = WireTap()
    var attacks: [(attack: Attack, until: Instant)] = []
    /// Frames that wait, in order.
    var held: [(way: WireWay, bytes: [UInt8])] = []
    /// A frame that changes places with the next.
    var swapped: [UInt8]?
    /// Each line draws for itself.
    var random: SplitMix64
  }

  /// A recording is replayed no longer than this at once.
  private static let mostReplayed = 12
  private let devices: [DeviceID]
  private var lines: [Line]
  /// Frames that he will send, by time.
  private var queue: [(at: Instant, sending: Sending)] = []
  /// Frames that are sent now, in order.
  private var ready: [Sending] = []

  init(on devices: [DeviceID], seed: UInt64) {
    self.devices = devices
    lines = devices.indices.map {
      Line(random: SplitMix64(state: SplitSeed.seed(seed, UInt64($0))))
    }
  }

  var nextDue: Instant {
    var due = queue.first?.at ?? .never
    for line in lines { for (_, until) in line.attacks { due = min(due, until) } }
    return due
  }

  /// What is to be sent now, in order; it is taken.
  mutating func takeReady() -> [Sending] {
    defer { ready.removeAll(keepingCapacity: true) }
    return ready
  }

  // MARK: On the wire

  /// Takes bytes that an end has sent.
  mutating func hear(
    _ bytes: UnsafeRawBufferPointer, on line: Int, _ way: WireWay, at now: Instant
  ) {
    let boot = lines[line].tap.boot
    let frames = lines[line].tap.read(bytes, way, at: now)
    if lines[line].tap.boot != boot { playEarlierBoot(line, at: now) }
    for frame in frames { pass(frame, line, way, at: now) }
  }

  /// The line was unplugged, or an end has lost its power.
  mutating func cut(_ line: Int) {
    lines[line].tap.cut()
    lines[line].held = []
    lines[line].swapped = nil
  }

  private mutating func pass(_ frame: WireTap.Frame, _ line: Int, _ way: WireWay, at now: Instant) {
    var copies = [frame.bytes]
    for (attack, _) in lines[line].attacks where !copies.isEmpty {
      switch attack {
      case .drop(way, let eventsAlone):
        if !eventsAlone || frame.isOf(.event, .eventAck) { copies = [] }
      case .hold(way, _):
        lines[line].held += copies.map { (way, $0) }
        copies = []
      case .reorder(way):
        if let before = lines[line].swapped {
          copies.append(before)
          lines[line].swapped = nil
        } else {
          lines[line].swapped = copies.removeLast()
        }
      case .double(way): copies += copies
      case .strip(way): copies = [ForgedFrames.stripped(frame)]
      case .reflect(way): send(frame.bytes, line, way.other)
      case .relay(let other): send(frame.bytes, other, way)
      case .rerun where way == .toDevice && isRerunning(line): copies = []
      case .impersonate where way == .toHost: copies = impersonated(frame, line, at: now) ?? copies
      default: break
      }
    }
    for copy in copies { send(copy, line, way) }
  }

  private mutating func send(_ bytes: [UInt8], _ line: Int, _ way: WireWay) {
    ready.append(Sending(line: line, way: way, bytes: bytes))
  }

  private mutating func impersonated(
    _ frame: WireTap.Frame, _ line: Int, at now: Instant
  ) -> [[UInt8]]? {
    guard let record = frame.read(EventRecord.self), record.identity.kind == .pressed else {
      return nil
    }
    let forged = ForgedFrames(tap: lines[line].tap, device: devices[line], now: now)
    return [forged.twin(of: record.identity, &lines[line].random)]
  }

  // MARK: By the schedule

  mutating func begin(
    _ attack: Attack, on line: Int, for span: Interval, seed: UInt64, at now: Instant
  ) {
    lines[line].random = SplitMix64(state: seed)
    switch attack {
    case .forge(let forgery): forge(forgery, line, within: span, at: now)
    case .replay(let way, let other): replay(way, from: other, line, within: span, at: now)
    default: lines[line].attacks.append((attack, now + span))
    }
  }

  private mutating func forge(
    _ forgery: Forgery, _ line: Int, within span: Interval, at now: Instant
  ) {
    var random = lines[line].random
    // Now and then in the name of another keychain.
    let name =
      Int.random(in: 0..<4, using: &random) == 0
      ? devices.randomElement(using: &random)! : devices[line]
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      let forged = ForgedFrames(tap: lines[line].tap, device: name, now: now)
      for bytes in forged.frames(forgery, &random) {
        let late = Int64.random(in: 0...min(span.microseconds, 100_000), using: &random)
        put(bytes, line, forgery.way, at: now + .microseconds(late))
      }
    }
    lines[line].random = random
  }

  private mutating func replay(
    _ way: WireWay, from other: Int, _ line: Int, within span: Interval, at now: Instant
  ) {
    let all = lines[other].tap.recorded.filter { $0.way == way }
    guard !all.isEmpty else { return }
    let first = Int.random(in: 0..<all.count, using: &lines[line].random)
    let some = all[first...].prefix(Self.mostReplayed)
    let step = span.microseconds / Int64(some.count)
    for (index, recorded) in some.enumerated() {
      put(recorded.frame.bytes, line, way, at: now + .microseconds(Int64(index) * step))
    }
  }

  /// The keychain has booted: if he waits for that, it hears what an earlier boot has heard.
  private mutating func playEarlierBoot(_ line: Int, at now: Instant) {
    guard let until = lines[line].attacks.first(where: { $0.attack == .rerun })?.until else {
      return
    }
    let tap = lines[line].tap
    let earlier = tap.recorded.filter { $0.boot < tap.boot && $0.way == .toDevice }
    guard let boot = earlier.last(where: { $0.frame.isOf(.indicate) })?.boot else { return }
    for recorded in earlier where recorded.boot == boot && now + recorded.after < until {
      put(recorded.frame.bytes, line, .toDevice, at: now + recorded.after)
    }
  }

  /// Whether the keychain has booted since he waits for it.
  private func isRerunning(_ line: Int) -> Bool { queue.contains { $0.sending.line == line } }

  private mutating func put(_ bytes: [UInt8], _ line: Int, _ way: WireWay, at due: Instant) {
    let place = queue.firstIndex { $0.at > due } ?? queue.count
    queue.insert((due, Sending(line: line, way: way, bytes: bytes)), at: place)
  }

  // MARK: Time

  /// Does what is due.
  mutating func advance(to now: Instant) {
    while let first = queue.first, first.at <= now {
      queue.removeFirst()
      ready.append(first.sending)
    }
    for line in lines.indices {
      for (attack, until) in lines[line].attacks where until <= now { end(attack, line) }
      lines[line].attacks.removeAll { $0.until <= now }
    }
  }

  /// He leaves off: all goes on as it should.
  mutating func leaveOff() {
    queue = []
    for line in lines.indices {
      for (attack, _) in lines[line].attacks { end(attack, line) }
      lines[line].attacks = []
    }
  }

  private mutating func end(_ attack: Attack, _ line: Int) {
    if case .reorder(let way) = attack, let swapped = lines[line].swapped {
      lines[line].swapped = nil
      send(swapped, line, way)
    }
    guard case .hold(let way, let then) = attack else { return }
    var held = lines[line].held.filter { $0.way == way }.map(\.bytes)
    lines[line].held.removeAll { $0.way == way }
    switch then {
    case .inOrder: break
    case .reversed: held.reverse()
    case .oldestAlone: held = Array(held.prefix(3))
    }
    for bytes in held { send(bytes, line, way) }
  }
}
