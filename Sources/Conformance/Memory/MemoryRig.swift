import Capture
package import Emulator
package import Firmware
package import FobBase
package import WireProtocol

/// The production firmware on a board of memory, in virtual time: the whole suite takes a second
/// or two, and one seed gives the same run everywhere. Each case gets a new device.
package final class MemoryRig: Rig {
  /// The word for this rig on the command line.
  package let name = "memory:"
  /// Waiting takes no real time.
  package let isVirtual = true
  /// A device may have a tick of some milliseconds; see `vectors/README.md`.
  package let slack = Interval.milliseconds(5)
  /// The board's clock never stands still.
  package let clockSlack = Interval.zero
  /// 2025-01-01 00:00 UTC.
  package let wallOffset: Int64 = 1_735_689_600_000_000
  /// Begins at 1 s in each case, and moves only in ``receive(until:)``.
  package private(set) var now = MemoryRig.start

  private static let start = Instant(microseconds: 1_000_000)
  private static let lineDelay = Interval.microseconds(200)
  /// A charge below that of a full battery, so that its reports show that it was measured.
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

  /// Nil: a board of memory can do everything.
  package func obstacle(to ability: Ability) -> String? { nil }

  /// Boots a new device with an empty store, and with tampering of its own.
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

  /// The bytes arrive 200 µs later.
  package func send(_ bytes: [UInt8]) {
    onTheWay.append(Arrival(bytes: tamperedToDevice(bytes), at: now + Self.lineDelay))
  }

  /// Moves the time to what is due next, and runs the firmware.
  /// - Throws: `RigFailure` where the firmware wants to be polled for ever at one time.
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

  /// Changes of the contact take effect as time moves on, everything else at once.
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

  /// Forgets the edges so far.
  package func watchLight() { board.forgetLight() }
  /// The edges since the last watch began, or since the case did.
  package func takeLight() -> [LightEdge] { board.light }

  /// Does everything that is due.
  /// - Returns: when something is due next.
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

  /// Schedules edges of the contact, in place of those scheduled before.
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

/// Changes what passes between the production firmware and its board, and between its line and the
/// host. The default changes nothing; tests use it to make firmware that is wrong on purpose.
package protocol Tampering: AnyObject {
  /// Called before the firmware looks at its board for the first time.
  func boots(_ board: inout VirtualBoard)
  /// Called when the firmware has booted.
  func booted(_ firmware: inout Keychain, _ board: inout VirtualBoard)
  /// Called after each poll of the firmware.
  func polled(_ firmware: inout Keychain, _ board: inout VirtualBoard)
  /// Gives the bytes that arrive in place of a frame or noise of the host, delimiters included.
  func toDevice(_ run: [UInt8], at now: Instant) -> [UInt8]
  /// Gives the bytes that arrive in place of a run of the device, delimiters included.
  func toHost(_ run: [UInt8], at now: Instant) -> [UInt8]
  /// Gives the bytes that the board hears in place of those of the GPS receiver.
  func heardGPS(_ bytes: [UInt8]) -> [UInt8]
}

extension Tampering {
  /// Changes nothing.
  package func boots(_ board: inout VirtualBoard) {}
  /// Changes nothing.
  package func booted(_ firmware: inout Keychain, _ board: inout VirtualBoard) {}
  /// Changes nothing.
  package func polled(_ firmware: inout Keychain, _ board: inout VirtualBoard) {}
  /// Changes nothing.
  package func toDevice(_ run: [UInt8], at now: Instant) -> [UInt8] { run }
  /// Changes nothing.
  package func toHost(_ run: [UInt8], at now: Instant) -> [UInt8] { run }
  /// Changes nothing.
  package func heardGPS(_ bytes: [UInt8]) -> [UInt8] { bytes }
}

/// A board whose clock, contact, link, memory and receiver a ``MemoryRig`` moves.
package struct VirtualBoard: Board {
  /// The firmware says it in HELLO and in each event.
  package var deviceID: DeviceID
  /// The rig draws another one for each boot.
  package var bootNonce: UInt32 = 0
  /// The cause of the last boot.
  package var resetCause = ResetCause.powerOn
  /// The board's own clock, which ``Actuation/clock(_:)`` moves.
  package var clock: BoardClock
  /// The present time on the rig's clock; `clock` turns it into the board's.
  package var hostNow: Instant
  /// Survives resets and power cuts; all zero in a new board.
  package var store = [UInt8](repeating: 0, count: Keychain.storeSize)
  /// While true, reads and writes of the store fail.
  package var storeFails = false
  /// Writes below this offset are lost, and said to be done: 0 in every honest board.
  package var storeForgetsBelow = 0
  /// The supply, from which the firmware computes the charge.
  package var millivolts: UInt16 = 4_000
  /// False: the board is powered by USB, and ``millivolts`` means nothing.
  package var hasBattery = true
  /// False: the board has no receiver.
  package var hasGPS = true
  /// The contact itself, whether or not the firmware may see it.
  package var isClosed = false
  /// While true, the firmware does not see the contact until it was open. An honest board tells of
  /// a contact that is closed at boot.
  package var hidesContactUntilOpen = false
  private var edges: [ButtonEdge] = []
  /// The receiver's bytes that the firmware has not read yet.
  package var gps: [UInt8] = []
  /// Bytes of the host that the firmware has not read yet.
  package var toDevice: [UInt8] = []
  /// Bytes of the firmware that the rig has not taken yet.
  package var fromDevice: [UInt8] = []
  /// Whether the light is on now.
  package private(set) var isLit = false
  /// Edges of the light since the watch began, on the rig's clock.
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

  /// Switches the light off, and forgets what memory held, as in a reset.
  mutating func turnOff() {
    setLED(false)
    edges = []
    gps = []
    toDevice = []
    fromDevice = []
  }

  /// - Parameter isSeen: the board has power and notices the edge.
  mutating func setContact(closed: Bool, isSeen: Bool) {
    guard closed != isClosed else { return }
    isClosed = closed
    if !closed { hidesContactUntilOpen = false }
    guard isSeen, !hidesContactUntilOpen else { return }
    edges.append(ButtonEdge(closed: closed, at: clock.reading(at: hostNow)))
  }

  mutating func forgetLight() { light = [] }

  /// On the board's own clock, not the rig's.
  package func now() -> Instant { clock.reading(at: hostNow) }
  /// The oldest edge not read yet, on the board's clock; nil where there is none.
  package mutating func nextButtonEdge() -> ButtonEdge? {
    edges.isEmpty ? nil : edges.removeFirst()
  }
  /// False while the contact is hidden.
  package func isButtonClosed() -> Bool { isClosed && !hidesContactUntilOpen }

  /// Records an edge where the light changes.
  package mutating func setLED(_ on: Bool) {
    if on != isLit { light.append(LightEdge(isOn: on, at: hostNow)) }
    isLit = on
  }

  /// Does nothing: cases know the sounder by LED_STATE and HEARTBEAT.
  package func setSounder(_ on: Bool) {}
  /// Exactly ``millivolts``: no load lowers it; nil without a battery.
  package func batteryMillivolts() -> UInt16? { hasBattery ? millivolts : nil }
  /// Nil where all bytes have been read.
  package mutating func nextGPSByte() -> UInt8? { gps.isEmpty ? nil : gps.removeFirst() }

  /// - Returns: how many bytes were read; 0 where there are none.
  package mutating func readLink(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
    let count = min(buffer.count, toDevice.count)
    buffer.copyBytes(from: toDevice.prefix(count))
    toDevice.removeFirst(count)
    return count
  }

  /// Takes all bytes at once: this line is never full.
  package mutating func writeLink(_ bytes: UnsafeRawBufferPointer) -> Int {
    fromDevice += bytes
    return bytes.count
  }

  /// False where the store fails, or has no such bytes.
  package func readStore(at offset: Int, _ buffer: UnsafeMutableRawBufferPointer) -> Bool {
    guard !storeFails, offset >= 0, offset + buffer.count <= store.count else { return false }
    buffer.copyBytes(from: store[offset..<offset + buffer.count])
    return true
  }

  /// False where the store fails, or has no such bytes. True, with nothing written, where the board
  /// forgets writes.
  package mutating func writeStore(at offset: Int, _ bytes: UnsafeRawBufferPointer) -> Bool {
    guard !storeFails, offset >= 0, offset + bytes.count <= store.count else { return false }
    if offset >= storeForgetsBelow {
      store.replaceSubrange(offset..<offset + bytes.count, with: bytes)
    }
    return true
  }
}
