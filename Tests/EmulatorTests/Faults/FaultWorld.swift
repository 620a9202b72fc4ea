import Firmware
import FobBase
import WireProtocol

@testable import Emulator

/// Keychain, line and host in one thread of virtual time: the firmware on a board, `WireFaults`
/// each way, `HostLink` and `AlertCore`. A copy goes on from where the original is.
struct FaultWorld {
  static let bootedAt = Instant(microseconds: 1_000_000_000)

  private(set) var now = Self.bootedAt
  private(set) var keychain: Keychain
  private var board = WorldBoard()
  private(set) var host: WorldHost
  private(set) var toHost = WireFaults()
  private(set) var toDevice = WireFaults()
  private(set) var hostTap = WireTap()
  private(set) var deviceTap = WireTap()
  /// What the light shows.
  private(set) var shown: ShownState?
  /// First edges on the device's clock, µs: what the finger has really done.
  private(set) var presses: [UInt64] = []
  private var script: [(at: Instant, closed: Bool)] = []
  private var nextMove = 0
  private var disarmsAt: Instant?
  private var nextTrace: UInt32 = 0
  private var wake = Self.bootedAt

  init() {
    keychain = Keychain(booting: &board)
    host = WorldHost(at: now)
  }

  // MARK: The finger

  mutating func press(after pause: Interval, hold: Interval = .milliseconds(60)) {
    let at = (script.last?.at ?? now) + pause
    script += [(at, true), (at + hold, false)]
    presses.append(UInt64((at - Self.bootedAt).microseconds))
  }

  private var move: (at: Instant, closed: Bool)? {
    nextMove < script.count ? script[nextMove] : nil
  }

  /// The alarm is disarmed then, but never before each press is an entry of it.
  mutating func disarm(after pause: Interval) { disarmsAt = now + pause }

  /// The finger rests, and nothing waits for an ack, a commit or a person.
  var isSettled: Bool {
    move == nil && disarmsAt == nil && keychain.unackedCount == 0
      && !keychain.wantsToTransmit && host.isAtRest
  }

  // MARK: Time

  /// Runs until `isDone`, seen each time that the clock is to move, or until `end`.
  mutating func run(until end: Instant, _ isDone: (FaultWorld) -> Bool = { _ in false }) {
    var turnsInPlace = 0
    while true {
      let next = turn()
      turnsInPlace = next > now ? 0 : turnsInPlace + 1
      precondition(turnsInPlace < 1_000, "the world turns for ever at one moment")
      guard next > now else { continue }
      guard next <= end, !isDone(self) else { return }
      now = next
    }
  }

  /// Everything that is due; when something is due next.
  private mutating func turn() -> Instant {
    moveFinger()
    if let due = disarmsAt, due <= now, host.store.alarms == presses.count {
      disarmsAt = nil
      host.disarm(at: now)
    }
    arrive()
    board.clock = Instant(microseconds: (now - Self.bootedAt).microseconds)
    board.linkRoom = toHost.room
    wake = Self.bootedAt + .microseconds(keychain.poll(&board).microseconds)
    lookAtLight()
    depart()
    host.wake(at: now)
    say()
    if keychain.wantsToTransmit, toHost.room > 0 { return now }
    let dues = [
      wake, host.nextDue(after: now), toHost.nextDue, toDevice.nextDue, move?.at,
      disarmsAt.map { max($0, now + .milliseconds(1)) },
    ]
    return max(now, dues.compactMap { $0 }.min()!)
  }

  private mutating func moveFinger() {
    while let next = move, next.at <= now {
      nextMove += 1
      board.setContact(
        closed: next.closed,
        at: Instant(microseconds: (next.at - Self.bootedAt).microseconds))
    }
  }

  private mutating func lookAtLight() {
    while nextTrace < keychain.trace.next {
      if let entry = keychain.trace[nextTrace], entry.code == .stateShown {
        shown = ShownState(rawValue: UInt8(truncatingIfNeeded: entry.argument))
      }
      nextTrace += 1
    }
  }

  // MARK: The line

  /// Both directions have a seed of their own.
  mutating func set(_ fault: WireFault) {
    if fault.direction != .device { toHost.set(fault) }
    var back = fault
    back.seed = ~fault.seed
    if fault.direction != .host { toDevice.set(back) }
  }

  mutating func clearFaults() {
    toHost.clear()
    toDevice.clear()
  }

  /// How many bytes were hit by the faults that are set.
  var strikes: Int { (toHost.faults + toDevice.faults).reduce(0) { $0 + Int($1.struck) } }

  /// What was sent towards `direction` and what arrived there.
  func tap(_ direction: WireFault.Direction) -> WireTap {
    direction == .host ? hostTap : deviceTap
  }

  private mutating func arrive() {
    while true {
      var chunk: [UInt8] = []
      let count = toDevice.passOn(at: now) { bytes in
        chunk = Array(bytes)
        return bytes.count
      }
      guard count > 0 else { return }
      chunk.withUnsafeBytes { deviceTap.hear($0) }
      board.arrived.append(chunk)
    }
  }

  private mutating func depart() {
    board.sent.withUnsafeBytes { bytes in
      hostTap.send(bytes)
      let taken = toHost.take(bytes, at: now)
      precondition(taken == bytes.count)
    }
    board.sent = []
    while true {
      var chunk: [UInt8] = []
      let count = toHost.passOn(at: now) { bytes in
        chunk = Array(bytes)
        return bytes.count
      }
      guard count > 0 else { return }
      chunk.withUnsafeBytes { bytes in
        hostTap.hear(bytes)
        host.hear(bytes, at: now)
      }
    }
  }

  private mutating func say() {
    let taken = host.outbox.withUnsafeBytes { bytes in
      let taken = toDevice.take(bytes, at: now)
      deviceTap.send(UnsafeRawBufferPointer(rebasing: bytes[..<taken]))
      return taken
    }
    host.outbox.removeFirst(taken)
  }
}
