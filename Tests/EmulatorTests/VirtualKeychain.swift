import Firmware
import FobBase
import SerialIO
import WireProtocol

@testable import Emulator

/// The firmware on the simulated board in virtual time, with the host's end of the protocol behind
/// a line that takes its time. Times are on the host's boot clock.
final class VirtualKeychain {
  /// What the board's closures share with the world.
  private final class Wires {
    var now: Instant
    var toDevice: [UInt8] = []
    var fromDevice: [UInt8] = []

    init(now: Instant) { self.now = now }
  }

  private struct Parcel {
    var due: Instant
    var bytes: [UInt8]
  }

  static let start = Instant(microseconds: 1_000_000_000)

  var board: SimulatedBoard
  private(set) var keychain: Keychain
  private(set) var host: HostLink
  /// Every event that reached the host, each sending of it.
  private(set) var events: [EventRecord] = []
  private(set) var heartbeats: [(at: Instant, uptime: UInt64)] = []
  /// Microseconds that a parcel takes on the line.
  var delay: () -> Int64 = { 100 }
  var acks = true
  private let wires: Wires
  private var toHost: [Parcel] = []
  private var toDevice: [Parcel] = []

  init(
    bounceSeed: UInt64? = nil, gps: GPSSource = .none, driftPPM: Int32 = 0
  ) throws {
    let wires = Wires(now: Self.start)
    self.wires = wires
    board = SimulatedBoard(
      deviceID: .bench(7), button: SimulatedButton(bounce: ContactBounce(seed: bounceSeed)),
      gps: try GPSFeed(gps, at: wires.now, utc: 1_700_000_000_000_000),
      battery: SimulatedBattery(percent: 80, at: wires.now), driftPPM: driftPPM,
      store: try BoardStore(path: nil),
      line: BoardLine(
        read: { buffer in
          let count = min(buffer.count, wires.toDevice.count)
          buffer.copyBytes(from: wires.toDevice.prefix(count))
          wires.toDevice.removeFirst(count)
          return count
        },
        write: { bytes in
          wires.fromDevice += Array(bytes)
          return bytes.count
        }),
      hostNow: { wires.now })
    board.boot(.powerOn)
    keychain = Keychain(booting: &board)
    host = HostLink(session: 77, software: Keychain.software, at: wires.now)
  }

  var now: Instant { wires.now }

  /// The pressed events of this boot, each once, in order.
  var presses: [EventRecord] { distinct(.pressed) }
  var releases: [EventRecord] { distinct(.released) }

  func distinct(_ kind: EventKind) -> [EventRecord] {
    var seen: Set<EventNumber> = []
    return events.filter {
      $0.identity.kind == kind && $0.identity.bootNonce == board.bootNonce
        && seen.insert($0.identity.number).inserted
    }
  }

  /// The board is off for a while, and the finger goes on.
  func reboot(_ cause: ResetCause, after pause: Interval = .milliseconds(50)) {
    wires.now = wires.now + pause
    wires.toDevice = []
    board.boot(cause)
    keychain = Keychain(booting: &board)
  }

  func run(ms: Int64) { run(until: now + .milliseconds(ms)) }

  func run(until end: Instant) {
    var pollsInPlace = 0
    while true {
      let before = now
      let next = turn()
      if next > end && now >= end { return }
      wires.now = max(now, min(next, end))
      pollsInPlace = now == before ? pollsInPlace + 1 : 0
      precondition(pollsInPlace < 500, "turned again and again for nothing")
    }
  }

  /// Everything that is due now; when something is next.
  private func turn() -> Instant {
    while let parcel = toDevice.first, parcel.due <= now {
      wires.toDevice += parcel.bytes
      toDevice.removeFirst()
    }
    board.gps.advance(to: now)
    board.refillFIFO()
    let wake = board.clock.hostInstant(dueAt: keychain.poll(&board))
    if !wires.fromDevice.isEmpty {
      send(wires.fromDevice, &toHost)
      wires.fromDevice = []
    }
    while let parcel = toHost.first, parcel.due <= now {
      toHost.removeFirst()
      hear(parcel.bytes)
    }
    while let frame = host.nextFrame(at: now) { send(frame) }
    var dues: [Instant?] = [wake, board.button.nextEdge, board.gps.nextDue, host.nextWake]
    dues += [toHost.first?.due, toDevice.first?.due]
    return dues.compactMap { $0 }.filter { $0 > now }.min() ?? now + .seconds(1)
  }

  private func hear(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { raw in
      var chunk = raw
      while let report = host.next(&chunk, at: now) {
        if case .heartbeat(let beat) = report { heartbeats.append((now, beat.uptime)) }
        guard case .event(let record) = report else { continue }
        events.append(record)
        if acks { send(host.frame(EventAck(record.identity), at: now)) }
      }
    }
  }

  private func send(_ frame: WireFrame) { send(frame.withBytes { Array($0) }, &toDevice) }

  /// A line keeps the order, however long each takes.
  private func send(_ bytes: [UInt8], _ line: inout [Parcel]) {
    let due = now + .microseconds(delay())
    line.append(Parcel(due: max(due, line.last?.due ?? due), bytes: bytes))
  }
}
