import Capture
package import Emulator
package import Firmware
package import FobBase
package import WireProtocol

/// The production firmware on a board of memory, in virtual time: the whole suite takes a second
/// or two, and one seed gives the same run everywhere. Each case gets a new device.
package final class MemoryRig: Rig {
  package let name = "memory:"
  package let isVirtual = true
  /// A device may come a millisecond late; see `vectors/README.md`.
  package let slack = Interval.milliseconds(5)
  package let clockSlack = Interval.zero
  /// 2025-01-01 00:00 UTC.
  package let wallOffset: Int64 = 1_735_689_600_000_000
  package private(set) var now = MemoryRig.start

  private static let start = Instant(microseconds: 1_000_000)
  private static let lineDelay = Interval.microseconds(200)
  /// A board with another charge than a full one's, so that it is seen where it is told.
  private static let percent: UInt8 = 87

  private let makeTampering: () -> (any Tampering)?
  private var tampering: (any Tampering)?
  private var random = SplitMix64(state: 1)
  private var board = VirtualBoard(.bench(1), at: MemoryRig.start)
  private var keychain: Keychain?
  private var wake = MemoryRig.start
  private var onTheWay: [Arrival] = []
  private var script: [(at: Instant, closed: Bool)] = []
  private var powerReturns: (at: Instant, cause: ResetCause)?
  private var chatters = false
  private var toHost = FrameSplitter()
  private var toDevice = FrameSplitter()

  /// - Parameter tampering: called at the beginning of each case.
  package init(tampering: @escaping () -> (any Tampering)? = { nil }) {
    makeTampering = tampering
  }

  package func obstacle(to ability: Ability) -> String? { nil }

  package func begin(seed: UInt64) {
    random = SplitMix64(state: seed)
    tampering = makeTampering()
    now = Self.start
    board = VirtualBoard(.bench(1), at: now)
    board.millivolts = BatteryGauge.millivolts(percent: Self.percent)
    onTheWay = []
    script = []
    powerReturns = nil
    chatters = false
    toHost = FrameSplitter()
    toDevice = FrameSplitter()
    boot(.powerOn)
  }

  package func send(_ bytes: [UInt8]) {
    onTheWay.append(Arrival(bytes: tamperedToDevice(bytes), at: now + Self.lineDelay))
  }

  package func receive(until deadline: Instant) throws -> Arrival? {
    var turns = 0
    while true {
      let due = turn()
      if !board.fromDevice.isEmpty {
        let bytes = tamperedToHost(board.fromDevice)
        board.fromDevice = []
        if !bytes.isEmpty { return Arrival(bytes: bytes, at: now) }
      }
      if now >= deadline { return nil }
      turns = due > now ? 0 : turns + 1
      guard turns < 1_000 else {
        throw RigFailure("the firmware wants to be polled again and again: time stands still")
      }
      now = max(now, min(due, deadline))
    }
  }

  package func perform(_ actuation: Actuation) {
    switch actuation {
    case .close where chatters: chatter(for: .seconds(1))
    case .close: move([(.zero, true)])
    case .open: move([(.zero, false)])
    case .touch(let hold): move([(.zero, true), (hold, false)])
    case .edges(let edges): move(edges.map { ($0.after, $0.closed) })
    case .chatter(let on): chatters = on
    case .reset: boot(.resetPin)
    case .powerCut(let pause): cutPower(for: pause, .powerOn)
    case .brownOut(let pause): cutPower(for: pause, .brownOut)
    case .battery(let percent): board.millivolts = BatteryGauge.millivolts(percent: percent)
    case .gps(let bytes): board.gps += tampering?.heardGPS(bytes) ?? bytes
    case .store(let fails): board.storeFails = fails
    case .clock(let jump): board.clock.jump(by: jump, at: now)
    }
    wake = now
  }

  package func watchLight() { board.forgetLight() }
  package func takeLight() -> [LightEdge] { board.light }

  /// Everything that is due; when something is next.
  private func turn() -> Instant {
    board.hostNow = now
    if let power = powerReturns, power.at <= now { boot(power.cause) }
    while let edge = script.first, edge.at <= now {
      script.removeFirst()
      board.setContact(closed: edge.closed, isSeen: keychain != nil)
      wake = now
    }
    while let parcel = onTheWay.first, parcel.at <= now {
      onTheWay.removeFirst()
      if keychain != nil { board.toDevice += parcel.bytes }
      wake = now
    }
    if keychain != nil, wake <= now {
      wake = board.clock.hostInstant(dueAt: keychain!.poll(&board))
      if let tampering { tampering.polled(&keychain!, &board) }
    }
    return next
  }

  private var next: Instant {
    var next = keychain == nil ? Instant(microseconds: .max) : wake
    if let power = powerReturns { next = min(next, power.at) }
    if let edge = script.first { next = min(next, edge.at) }
    if let parcel = onTheWay.first { next = min(next, parcel.at) }
    return next
  }

  private func boot(_ cause: ResetCause) {
    powerReturns = nil
    board.boot(cause, nonce: UInt32(truncatingIfNeeded: random.next()) | 1, at: now)
    tampering?.boots(&board)
    keychain = Keychain(booting: &board)
    if let tampering { tampering.booted(&keychain!, &board) }
    wake = now
  }

  private func cutPower(for pause: Interval, _ cause: ResetCause) {
    keychain = nil
    board.turnOff()
    powerReturns = (now + pause, cause)
  }

  /// What the finger was to do is replaced.
  private func move(_ edges: [(after: Interval, closed: Bool)]) {
    script = edges.map { (now + $0.after, $0.closed) }
  }

  /// Contacts of 4 ms and openings of 1.5 ms: no contact reaches the debounce time, their sum does.
  private func chatter(for length: Interval) {
    var edges: [(Interval, Bool)] = []
    var at = Interval.zero
    while at < length {
      edges += [(at, true), (at + .microseconds(4_000), false)]
      at = at + .microseconds(5_500)
    }
    move(edges + [(at, true)])
  }

  private func tamperedToDevice(_ bytes: [UInt8]) -> [UInt8] {
    guard let tampering else { return bytes }
    return toDevice.cut(bytes).flatMap { tampering.toDevice($0.bytes, at: now) }
  }

  private func tamperedToHost(_ bytes: [UInt8]) -> [UInt8] {
    guard let tampering else { return bytes }
    return toHost.cut(bytes).flatMap { tampering.toHost($0.bytes, at: now) }
  }
}

/// Stands between the production firmware and its board, and between its line and the host. The
/// honest one changes nothing; tests make firmware that is wrong on purpose.
package protocol Tampering: AnyObject {
  /// Before the firmware looks at its board for the first time.
  func boots(_ board: inout VirtualBoard)
  func booted(_ firmware: inout Keychain, _ board: inout VirtualBoard)
  func polled(_ firmware: inout Keychain, _ board: inout VirtualBoard)
  /// What arrives in place of a frame or noise of the host, delimiters included.
  func toDevice(_ run: [UInt8], at now: Instant) -> [UInt8]
  /// What arrives in place of a whole frame of the device.
  func toHost(_ run: [UInt8], at now: Instant) -> [UInt8]
  /// What the GPS receiver is heard to say.
  func heardGPS(_ bytes: [UInt8]) -> [UInt8]
}

extension Tampering {
  package func boots(_ board: inout VirtualBoard) {}
  package func booted(_ firmware: inout Keychain, _ board: inout VirtualBoard) {}
  package func polled(_ firmware: inout Keychain, _ board: inout VirtualBoard) {}
  package func toDevice(_ run: [UInt8], at now: Instant) -> [UInt8] { run }
  package func toHost(_ run: [UInt8], at now: Instant) -> [UInt8] { run }
  package func heardGPS(_ bytes: [UInt8]) -> [UInt8] { bytes }
}

/// A board whose clock, contact, link, memory and receiver a ``MemoryRig`` moves.
package struct VirtualBoard: Board {
  package var deviceID: DeviceID
  package var bootNonce: UInt32 = 0
  package var resetCause = ResetCause.powerOn
  package var clock: BoardClock
  /// On the rig's clock; the board's own is read through `clock`.
  package var hostNow: Instant
  package var store = [UInt8](repeating: 0, count: Keychain.storeSize)
  package var storeFails = false
  /// Writes below this offset are lost, and said to be done: 0 in every honest board.
  package var storeForgetsBelow = 0
  package var millivolts: UInt16 = 4_000
  package var isClosed = false
  /// An honest board tells of a contact that is closed at boot.
  package var hidesContactUntilOpen = false
  private var edges: [ButtonEdge] = []
  /// The receiver's bytes, and which of them the board has read.
  package var gps: [UInt8] = []
  package var toDevice: [UInt8] = []
  package var fromDevice: [UInt8] = []
  package private(set) var isLit = false
  package private(set) var light: [LightEdge] = []

  init(_ deviceID: DeviceID, at now: Instant) {
    self.deviceID = deviceID
    hostNow = now
    clock = BoardClock(bootedAt: now, driftPPM: 0)
  }

  mutating func boot(_ cause: ResetCause, nonce: UInt32, at now: Instant) {
    resetCause = cause
    bootNonce = nonce
    hostNow = now
    clock = BoardClock(bootedAt: now, driftPPM: 0)
    turnOff()
  }

  /// The outputs of a processor in reset, and what its memory held.
  mutating func turnOff() {
    setLED(false)
    edges = []
    gps = []
    toDevice = []
    fromDevice = []
  }

  /// - Parameter isSeen: the board has power, and notices the edge.
  mutating func setContact(closed: Bool, isSeen: Bool) {
    guard closed != isClosed else { return }
    isClosed = closed
    if !closed { hidesContactUntilOpen = false }
    guard isSeen, !hidesContactUntilOpen else { return }
    edges.append(ButtonEdge(closed: closed, at: clock.reading(at: hostNow)))
  }

  mutating func forgetLight() { light = [] }

  package func now() -> Instant { clock.reading(at: hostNow) }
  package mutating func nextButtonEdge() -> ButtonEdge? {
    edges.isEmpty ? nil : edges.removeFirst()
  }
  package func isButtonClosed() -> Bool { isClosed && !hidesContactUntilOpen }

  package mutating func setLED(_ on: Bool) {
    if on != isLit { light.append(LightEdge(isOn: on, at: hostNow)) }
    isLit = on
  }

  package func setSounder(_ on: Bool) {}
  package func batteryMillivolts() -> UInt16 { millivolts }
  package mutating func nextGPSByte() -> UInt8? { gps.isEmpty ? nil : gps.removeFirst() }

  package mutating func readLink(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
    let count = min(buffer.count, toDevice.count)
    buffer.copyBytes(from: toDevice.prefix(count))
    toDevice.removeFirst(count)
    return count
  }

  package mutating func writeLink(_ bytes: UnsafeRawBufferPointer) -> Int {
    fromDevice += bytes
    return bytes.count
  }

  package func readStore(at offset: Int, _ buffer: UnsafeMutableRawBufferPointer) -> Bool {
    guard !storeFails, offset >= 0, offset + buffer.count <= store.count else { return false }
    buffer.copyBytes(from: store[offset..<offset + buffer.count])
    return true
  }

  package mutating func writeStore(at offset: Int, _ bytes: UnsafeRawBufferPointer) -> Bool {
    guard !storeFails, offset >= 0, offset + bytes.count <= store.count else { return false }
    if offset >= storeForgetsBelow {
      store.replaceSubrange(offset..<offset + bytes.count, with: bytes)
    }
    return true
  }
}
