public import FobBase
import NMEA
public import WireProtocol

/// The firmware of one keychain: a machine that is polled when something happened or is due.
///
/// It reports facts and decides nothing. It debounces, numbers, stores and sends a press, and keeps
/// it until a host acks it. The host says what the press means, and what the light shows.
public struct Keychain: Sendable {
  /// Version that HELLO says.
  public static let software = SoftwareVersion(major: 0, minor: 1, patch: 0)
  /// Bytes of non-volatile memory that a board must have.
  public static let storeSize = EventStore.size

  /// The last 32 happenings, as TRACE sends them.
  public internal(set) var trace = TraceRing()
  var link = DeviceLink()
  var transmit = TransmitRing()
  var unacked = UnackedEvents()
  var memory = VolatileRecords()
  var counts = Counts()
  var rejects = RejectRateLimit()
  /// Number of this boot, from 1 on: the upper half of the numbers of its events.
  public internal(set) var bootCounter: UInt32 = 1
  var lastNumber: UInt32 = 0
  var owed = Owed()
  var isStoreFailing = false
  /// The store could not be read at boot. Until it is read, nothing is written over what it holds.
  var owesLoad = false
  var lastMerge = Merge(number: .none)
  /// Presses wait in the store for a place in `unacked`.
  var hasUnloaded = false
  /// The button was closed at power-on and has stayed so: a host may pair the device.
  var hasPresence = false
  /// Pressed again until then, the button takes the key from the device.
  var unpairBy: Instant?
  /// Milliseconds, 0 to 50. A new value counts when the contact next leaves rest.
  var debounceMilliseconds: UInt8 = Debouncer.defaultMilliseconds {
    didSet { debouncer.time = .milliseconds(Int64(debounceMilliseconds)) }
  }
  var debouncer: Debouncer
  var display = Display()
  var battery = BatteryGauge()
  var gps = GPSReceiver()
  /// The clock at the end of the last poll; a lower reading means that it went back.
  private var lastPolled: Instant
  var nextSecond: Instant
  var nextBatteryReport: Instant
  var lastFixReport: Instant?
  var reportedQuality = PositionQuality.none

  /// Numbers of what the device gave up since its boot, reported by the heartbeat.
  struct Counts: Sendable {
    var droppedFrames: UInt32 = 0
    var evictedEvents: UInt32 = 0
    var mergedPresses: UInt32 = 0
  }

  /// The last merged press, and the presses that it stands for.
  struct Merge: Sendable {
    var number: EventNumber
    var first: EventNumber
    var covered: UInt16

    init(number: EventNumber, first: EventNumber, covered: UInt16) {
      self.number = number
      self.first = first
      self.covered = covered
    }

    /// A press that stands for itself alone.
    init(number: EventNumber) { self.init(number: number, first: number, covered: 1) }

    /// Whether this press took `record` over: both then stand for the same first press.
    @inline(never)
    func covers(_ record: inout StoredRecord) -> Bool {
      let before = record.number
      let first = record.flags.contains(.merged) ? record.firstCovered : before
      return record.isPress && first == self.first && before < number
    }
  }

  /// Events to be made as soon as there is room: the boot, and each fault once.
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

  /// A keychain without power.
  private init() {
    let never = Instant(microseconds: 0)
    debouncer = Debouncer(closed: false, pressed: false, at: never, time: .zero)
    lastPolled = never
    nextSecond = never
    nextBatteryReport = never
  }

  /// Boots a keychain in `memory`, which must be aligned to eight bytes, at least `memorySize`
  /// long, and filled with zeros.
  ///
  /// It is for a processor whose stack cannot hold the keychain: `init(booting:)` would make it
  /// there before it is moved.
  /// - Returns: the place at which it is to be polled.
  public static func boot<B: Board>(
    in memory: UnsafeMutableRawPointer, _ board: inout B
  ) -> UnsafeMutablePointer<Keychain> {
    // The large buffers are empty when they are zeros. The rest is set here.
    let place = memory.assumingMemoryBound(to: Keychain.self)
    place.pointee.setSmallParts()
    place.pointee.boot(&board)
    return place
  }

  /// Bytes that `boot(in:)` needs.
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
    hasPresence = false
    unpairBy = nil
    lastMerge = Merge(number: .none)
    lastNumber = 0
    debounceMilliseconds = Debouncer.defaultMilliseconds
    lastFixReport = nil
    reportedQuality = .none
  }

  @inline(never)
  private mutating func boot<B: Board>(_ board: inout B) {
    let now = board.now()
    let closed = board.isButtonClosed()
    let isStuck = closed && board.resetCause == .powerOn
    debouncer = Debouncer(
      closed: closed, pressed: isStuck, at: now,
      time: .milliseconds(Int64(Debouncer.defaultMilliseconds)))
    lastPolled = now
    nextSecond = now + .seconds(1)
    nextBatteryReport = now
    if isStuck { owed.add(.buttonStuck) }
    hasPresence = isStuck
    battery.look(board.batteryMillivolts())
    countBoot(&board)
    load(&board, at: now)
    trace.note(.booted, UInt64(board.resetCause.rawValue), at: now)
    send(hello(answering: 0, board), at: now)
  }

  /// Does everything that is due.
  /// - Returns: when to poll again, even if nothing happens until then.
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

  /// Bytes wait for the link: poll again when it can take more.
  public var wantsToTransmit: Bool { !transmit.isEmpty }

  /// Events that are kept because no host has acked them, 0 to 64.
  public var unackedCount: Int { unacked.count }

  /// The session of the host's HELLO answered last, 0 when there was none.
  public var hostSession: UInt32 { link.session }

  /// - Parameter lost: by how much the clock went back since the last poll.
  private mutating func readButton<B: Board>(_ board: inout B, lost: Interval) {
    while var edge = board.nextButtonEdge() {
      // Stamped before the clock went back. Edges keep their distances, whatever the clock says
      // now.
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
    unpair(by: change, &board)
    hasPresence = false
  }

  private mutating func eachSecond<B: Board>(_ board: inout B, at now: Instant) {
    nextSecond = nextSecond + .seconds(1)
    if nextSecond <= now { nextSecond = now + .seconds(1) }
    readBattery(&board, at: now)
    storeAgain(&board)
    reportFix(at: now, every: nil)
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

/// A board's clock must not go back, but may, by a brown-out of its oscillator or a faulty counter.
/// What waits for a moment that was near and is now far must not be held up by that: above all a
/// press.
extension Keychain {
  /// A clock that goes back by less is ignored: it delays nothing by more than that.
  static let clockStep = Interval.milliseconds(1)

  /// Makes everything that waits due now, or as far off as it was. The heartbeat goes out before
  /// all else: its uptime shows the host that the clock went back, before the host reads a stamp of
  /// it.
  mutating func clockWentBack(by lost: Interval, to now: Instant) {
    debouncer.clockWentBack(by: lost)
    display.clockWentBack(by: lost)
    gps.clockWentBack(by: lost)
    unacked.hostHello(at: now)
    unpairBy = nil
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

  /// Takes the frame of `body`, which is gone then. False when it does not fit: nothing is taken.
  @inline(never)
  mutating func append(_ body: inout FrameBody) -> Bool {
    body.withWireBytes { ring.append($0) }
  }

  /// Hands bytes to the board until it takes no more.
  mutating func drain<B: Board>(into board: inout B) {
    while !ring.isEmpty {
      let (offered, taken) = ring.withFront { ($0.count, board.writeLink($0)) }
      ring.removeFirst(taken)
      if taken < offered { return }
    }
  }
}

/// Requests beside the line: a board's USB part answers them on endpoint 0 while a host has the
/// line open. Payloads are those of the wire protocol's messages, without a frame.
extension Keychain {
  /// Writes the payload of HELLO, HEARTBEAT or FW_INFO, as it would be sent now, to `body`, which
  /// is empty.
  /// - Parameters:
  ///   - type: HELLO, HEARTBEAT or FW_INFO.
  ///   - body: empty; gets the payload alone.
  ///   - isLinked: the host that has the line open has said HELLO; else the session is 0.
  ///   - board: the one that the keychain runs on.
  /// - Returns: false for any other type.
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

  /// Obeys LED_SET, whose `payload` this is, by the rules of the link. Poll afterwards.
  /// - Returns: false for a payload that is too short or names a state that cannot be asked for,
  ///   while a press is unacked or an incident is open, and for any state but `identify` where the
  ///   device is paired.
  public mutating func setLight<B: Board>(
    _ payload: UnsafeRawBufferPointer, _ board: inout B
  ) -> Bool {
    guard payload.count >= LEDSet.size, let pattern = LEDSet(payload),
      !link.isPaired || pattern.state == .identify
    else { return false }
    return show(pattern, at: board.now())
  }
}
