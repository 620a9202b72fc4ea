public import FobBase
import NMEA
public import WireProtocol

/// The firmware of one keychain: a machine that is polled whenever something happened or is due.
///
/// It reports facts and decides nothing: a press is debounced, numbered, stored, sent and kept
/// until a host acks it; what it means, and what the light shows, a host says.
public struct Keychain: Sendable {
  public static let software = SoftwareVersion(major: 0, minor: 1, patch: 0)
  /// Bytes of non-volatile memory that a board must have.
  public static let storeSize = EventStore.size

  public internal(set) var trace = TraceRing()
  var link = DeviceLink()
  var transmit = TransmitRing()
  var unacked = UnackedEvents()
  var memory = VolatileRecords()
  var counts = Counts()
  var rejects = RejectRateLimit()
  public internal(set) var bootCounter: UInt32 = 1
  var lastNumber: UInt32 = 0
  var owed = Owed()
  var isStoreFailing = false
  /// The store could not be read at boot: until it was, nothing may be written over what it holds.
  var owesLoad = false
  var lastMerge = Merge(number: .none)
  /// Presses wait in the store for a place among the unacked.
  var hasUnloaded = false
  /// Milliseconds, 0 to 50; in force from the next contact on.
  var debounceMilliseconds: UInt8 = 20 {
    didSet { debouncer.time = .milliseconds(Int64(debounceMilliseconds)) }
  }
  var debouncer: Debouncer
  var display = Display()
  var battery = BatteryGauge()
  var gps = GPSReceiver()
  /// At the end of the last poll: a clock that says less has gone back.
  private var lastPolled: Instant
  var nextSecond: Instant
  var nextBatteryReport: Instant
  var lastFixReport: Instant?
  var reportedQuality = PositionQuality.none

  /// What the device had to give up since its boot, as the heartbeat says it.
  struct Counts: Sendable {
    var droppedFrames: UInt32 = 0
    var evictedEvents: UInt32 = 0
    var mergedPresses: UInt32 = 0
  }

  /// For which presses the one that was merged last stands.
  struct Merge: Sendable {
    var number: EventNumber
    var first: EventNumber
    var covered: UInt16

    init(number: EventNumber, first: EventNumber, covered: UInt16) {
      self.number = number
      self.first = first
      self.covered = covered
    }

    /// For itself alone.
    init(number: EventNumber) { self.init(number: number, first: number, covered: 1) }

    /// Whether it took `record` over: then both stand for the same first press.
    @inline(never)
    func covers(_ record: inout StoredRecord) -> Bool {
      let before = record.number
      let first = record.flags.contains(.merged) ? record.firstCovered : before
      return record.isPress && first == self.first && before < number
    }
  }

  /// Events that are to be made as soon as there is room: the boot, and each fault once.
  struct Owed: Sendable {
    var boot = true
    private var faults: UInt8 = 0

    mutating func add(_ fault: FaultCode) { faults |= 1 << fault.rawValue }

    mutating func takeFault() -> FaultCode? {
      guard faults != 0 else { return nil }
      let code = UInt8(faults.trailingZeroBitCount)
      faults &= faults - 1
      return FaultCode(rawValue: code)
    }
  }

  /// Boots: reads the store, counts the boot, looks at the button, says HELLO.
  public init<B: Board>(booting board: inout B) {
    self.init()
    boot(&board)
  }

  /// Without power.
  private init() {
    let never = Instant(microseconds: 0)
    debouncer = Debouncer(closed: false, pressed: false, at: never, time: .zero)
    lastPolled = never
    nextSecond = never
    nextBatteryReport = never
  }

  /// Boots a keychain in `memory`, aligned to eight bytes and at least `memorySize` long, which
  /// must hold zeros, and gives the place where it is to be polled.
  ///
  /// As `init(booting:)`, for a processor whose stack cannot hold the keychain: there it would be
  /// made before it is moved to where it stays.
  public static func boot<B: Board>(
    in memory: UnsafeMutableRawPointer, _ board: inout B
  ) -> UnsafeMutablePointer<Keychain> {
    // Zeros are what the large buffers begin as: they are empty then. The rest is set here.
    let place = memory.assumingMemoryBound(to: Keychain.self)
    place.pointee.setSmallParts()
    place.pointee.boot(&board)
    return place
  }

  /// What `boot(in:)` needs, in bytes.
  public static var memorySize: Int { MemoryLayout<Keychain>.size }

  private mutating func setSmallParts() {
    link = DeviceLink()
    gps = GPSReceiver()
    display = Display()
    battery = BatteryGauge()
    counts = Counts()
    rejects = RejectRateLimit()
    owed = Owed()
    isStoreFailing = false
    owesLoad = false
    hasUnloaded = false
    lastMerge = Merge(number: .none)
    lastNumber = 0
    debounceMilliseconds = 20
    lastFixReport = nil
    reportedQuality = .none
  }

  @inline(never)
  private mutating func boot<B: Board>(_ board: inout B) {
    let now = board.now()
    let closed = board.isButtonClosed()
    let isStuck = closed && board.resetCause == .powerOn
    debouncer = Debouncer(
      closed: closed, pressed: isStuck, at: now, time: .milliseconds(20))
    lastPolled = now
    nextSecond = now + .seconds(1)
    nextBatteryReport = now
    if isStuck { owed.add(.buttonStuck) }
    battery.look(board.batteryMillivolts())
    countBoot(&board)
    load(&board, at: now)
    trace.note(.booted, UInt64(board.resetCause.rawValue), at: now)
    send(hello(answering: 0, board), at: now)
  }

  /// Does everything that is due.
  /// - Returns: when it wants to be polled again though nothing has happened.
  public mutating func poll<B: Board>(_ board: inout B) -> Instant {
    let lost = lastPolled - board.now()
    if lost >= Self.clockStep { clockWentBack(by: lost, to: board.now()) }
    receive(&board)
    readButton(&board, lost: lost)
    readGPS(&board)
    let now = board.now()
    if now >= nextSecond { eachSecond(&board, at: now) }
    sendAgain(&board)
    settleDebts(&board)
    show(&board)
    transmit.drain(into: &board)
    lastPolled = now
    return nextWake(after: now)
  }

  /// Bytes wait for the link: poll again when it takes more.
  public var wantsToTransmit: Bool { !transmit.isEmpty }

  /// Events not yet acked.
  public var unackedCount: Int { unacked.count }

  /// The session of the host's HELLO answered last, 0 when there was none.
  public var hostSession: UInt32 { link.session }

  /// - Parameter lost: what the clock has gone back by since the last poll.
  private mutating func readButton<B: Board>(_ board: inout B, lost: Interval) {
    while var edge = board.nextButtonEdge() {
      // Stamped before the clock went back: edges keep their distances, whatever it says now.
      if lost >= Self.clockStep && edge.at > board.now() {
        edge.at = max(Instant(microseconds: 0), edge.at - lost)
      }
      trace.note(edge.closed ? .edgeClosed : .edgeOpen, at: edge.at)
      if let change = debouncer.input(closed: edge.closed, at: edge.at) { commit(change, &board) }
    }
    let now = board.now()
    if let change = debouncer.input(closed: board.isButtonClosed(), at: now) {
      commit(change, &board)
    }
  }

  private mutating func commit<B: Board>(_ change: Debouncer.Change, _ board: inout B) {
    commit(
      change.pressed ? .pressed : .released, at: change.firstEdge,
      flags: change.atBoot ? .atBoot : .none, &board)
  }

  private mutating func eachSecond<B: Board>(_ board: inout B, at now: Instant) {
    nextSecond = nextSecond + .seconds(1)
    if nextSecond <= now { nextSecond = now + .seconds(1) }
    readBattery(&board, at: now)
    storeAgain(&board)
    reportFix(at: now, isNew: false)
    send(heartbeat(at: now), at: now)
  }

  private mutating func nextWake(after now: Instant) -> Instant {
    var wake = nextSecond
    if let due = debouncer.due { wake = min(wake, due) }
    if let due = display.nextChange { wake = min(wake, due) }
    if transmit.isEmpty, let due = unacked.nextDue(after: now) { wake = min(wake, due) }
    return max(wake, now)
  }
}

/// A board's clock is not to go back. One that does, by a brown-out of its oscillator or a faulty
/// counter, must not stop what waits for a moment that was near and is now far: a press, most of
/// all.
extension Keychain {
  /// A clock that goes back by less stops everything for no longer than that.
  static let clockStep = Interval.milliseconds(1)

  /// What waits is due now, or as far off as it was. The heartbeat goes out before everything else:
  /// from its uptime the host sees that the clock is another, before it reads a stamp of it.
  mutating func clockWentBack(by lost: Interval, to now: Instant) {
    debouncer.clockWentBack(by: lost)
    display.clockWentBack(by: lost)
    gps.clockWentBack(by: lost)
    unacked.hostHello(at: now)
    nextSecond = now + .seconds(1)
    send(heartbeat(at: now), at: now)
    nextBatteryReport = now
    lastFixReport = nil
  }
}

/// Bytes on their way to the host. Frames enter whole or not at all.
struct TransmitRing {
  private var ring = FixedRing<512, UInt8>(filler: 0)

  var isEmpty: Bool { ring.isEmpty }

  /// Takes the frame of `body`, which is gone then.
  @inline(never)
  mutating func append(_ body: inout FrameBody) -> Bool {
    body.withWireBytes { ring.append($0) }
  }

  /// Hands to the board what it takes.
  mutating func drain<B: Board>(into board: inout B) {
    while !ring.isEmpty {
      let (offered, taken) = ring.withFront { ($0.count, board.writeLink($0)) }
      ring.removeFirst(taken)
      if taken < offered { return }
    }
  }
}

/// The way beside the line: what a board's USB part answers on endpoint 0 while a host has the line
/// open. Payloads are those of the wire protocol's messages, without a frame.
extension Keychain {
  /// Writes the payload of `type`, as it would be sent now, to `body`, which is empty.
  /// - Parameter isLinked: the host that has the line open has said HELLO; else no session is told.
  /// - Returns: false for what is not told this way.
  public mutating func tell<B: Board>(
    _ type: MessageType, in body: inout FrameBody, isLinked: Bool, _ board: inout B
  ) -> Bool {
    switch type {
    case .hello: hello(answering: isLinked ? hostSession : 0, board).write(to: &body)
    case .heartbeat: heartbeat(at: board.now()).write(to: &body)
    case .firmwareInfo: Self.writeFirmwareInfo(to: &body)
    default: return false
    }
    return true
  }

  /// Does what LED_SET asks, by the rules of the link. Poll afterwards.
  /// - Parameter payload: of LED_SET.
  /// - Returns: false for a payload that cannot be used, and while something is open.
  public mutating func setLight<B: Board>(
    _ payload: UnsafeRawBufferPointer, _ board: inout B
  ) -> Bool {
    guard payload.count >= LEDSet.size, let pattern = LEDSet(payload) else { return false }
    return show(pattern, at: board.now())
  }
}
