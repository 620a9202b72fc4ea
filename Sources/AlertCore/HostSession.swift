public import FobBase
public import WireProtocol

/// One device at a host, over all the openings of its line: the host's end of the link, and what of
/// it the core hears.
///
/// A read goes through it in two steps: `next` until nil, then of each report `input(of:)` to the
/// core and `reply(to:)` to the line; so what an input says of clocks is judged by all that the
/// read has brought. Before those, `missed`. After each read, and at `nextWake`: `nextFrame` until
/// nil, then `silence`.
public struct HostSession: Sendable {
  /// An entry of the device's trace, and what is known of the device as it is read.
  public typealias TraceReader = (TraceEntry, DeviceID, TimeSync.Fit?) -> Void

  public let id: LinkID
  /// As HELLO says, or the first event; kept when the line has gone, until it is opened again.
  public private(set) var device: DeviceID?
  private let software: SoftwareVersion
  /// Of the last opening; asked only while the line is open. No optional, which would be copied to
  /// be asked.
  private var link: HostLink
  private var isOpen = false
  /// The core was told of a link that is up.
  private var isUp = false
  /// Opened, and HELLO not yet answered; nil once that was told.
  private var unansweredSince: Instant?
  /// Of the device's trace ring, the entry to ask for next; nil until one was read in this session.
  private var nextTrace: UInt32?
  private var hasMoreTrace = false

  public init(_ id: LinkID, software: SoftwareVersion) {
    self.id = id
    self.software = software
    link = HostLink(session: 1, software: software, at: Instant(microseconds: 0))
  }

  /// Of the open link; nil while the line is closed.
  public var state: HostLink.State? { isOpen ? link.state : nil }
  public var fit: TimeSync.Fit? { isOpen ? link.fit : nil }
  /// See `HostLink.provenFit`.
  public var provenFit: TimeSync.Fit? { isOpen ? link.provenFit : nil }
  /// When `nextFrame` is next worth a call; nil while the line is closed.
  public var nextWake: Instant? { isOpen ? link.nextWake : nil }

  // MARK: The line

  /// The line was opened; another device may stand under its name by now.
  /// - Parameters:
  ///   - session: random and never zero, anew at each opening.
  ///   - indication: nil where nobody says now what is true.
  public mutating func opened(session: UInt32, indication: Indication?, at now: Instant) {
    link = HostLink(session: session, software: software, at: now)
    isOpen = true
    indicate(indication, at: now)
    device = nil
    unansweredSince = now
    nextTrace = nil
    hasMoreTrace = false
  }

  /// The line has gone.
  /// - Returns: for the core, if it was told that the link is up.
  public mutating func gone(reason: String) -> CoreInput? {
    isOpen = false
    return down(reason)
  }

  private mutating func down(_ reason: String) -> CoreInput? {
    guard isUp else { return nil }
    isUp = false
    return .linkDown(id, reason: reason)
  }

  // MARK: In

  /// The next report in `chunk`, whose front it takes; nil when the chunk is used up.
  /// - Parameter readTrace: called for each entry of a trace frame that was not read before.
  public mutating func next(
    _ chunk: inout UnsafeRawBufferPointer, at now: Instant,
    readTrace: TraceReader = { _, _, _ in }
  ) -> DeviceReport? {
    guard isOpen, let report = link.next(&chunk, at: now) else { return nil }
    if case .trace = report { read(readTrace) }
    return report
  }

  private mutating func read(_ readTrace: TraceReader) {
    guard isOpen, let device else { return }
    var next = nextTrace
    var count = 0
    link.withPayload { payload in
      TraceFrame.entries(payload) { index, entry in
        count += 1
        // Indexes wrap; and what a device of long uptime says first is later than any 0.
        if let next, Int32(bitPattern: index &- next) < 0 { return }
        next = index &+ 1
        readTrace(entry, device, link.fit)
      }
    }
    hasMoreTrace = count == TraceEntry.mostInFrame && next != nextTrace
    nextTrace = next
  }

  /// What the core is to be told of a report; nil: nothing. Learns from it.
  public mutating func input(of report: DeviceReport) -> CoreInput? {
    learn(from: report)
    return Self.input(of: report, from: id, fit: provenFit)
  }

  /// Whose the line is, and that it is linked: the first half of `input(of:)`, for whoever holds
  /// the session under a lock and takes that only where `learns` says so.
  public mutating func learn(from report: DeviceReport) {
    guard Self.learns(from: report, knowing: device) else { return }
    switch report {
    case .linked(let hello):
      device = hello.deviceID
      isUp = true
      unansweredSince = nil
      nextTrace = nil
    case .event(let record): device = record.identity.deviceID
    default: break
    }
  }

  /// An event says whose it is, be it before the HELLO.
  public static func learns(from report: DeviceReport, knowing device: DeviceID?) -> Bool {
    switch report {
    case .linked: true
    case .event: device == nil
    default: false
    }
  }

  /// The second half of `input(of:)`.
  public static func input(
    of report: DeviceReport, from id: LinkID, fit: TimeSync.Fit?
  ) -> CoreInput? {
    switch report {
    case .event(let record): .event(id, record, happenedAt: happened(record, fit))
    case .barePress(let identity): .barePress(id, identity)
    case .linked(let hello): .linkUp(id, hello)
    case .heartbeat(let beat): .heartbeat(id, beat)
    case .position(let fix): .position(id, fix)
    case .clock, .ledState, .battery, .configResult, .trace, .log, .firmwareInfo, .nmeaRaw,
      .rejected, .refused, .nothing:
      nil
    }
  }

  /// The first edge on the host's boot clock, µs; nil where no fit of that boot tells.
  private static func happened(_ record: EventRecord, _ fit: TimeSync.Fit?) -> ClosedRange<Int64>? {
    guard let fit, fit.bootNonce == record.identity.bootNonce,
      record.identity.clock >= UInt64(max(0, fit.since))
    else { return nil }
    let at = fit.hostInstant(record.identity.clock).microseconds
    let (earliest, isBefore) = at.subtractingReportingOverflow(fit.uncertainty)
    let (latest, isAfter) = at.addingReportingOverflow(fit.uncertainty)
    return isBefore || isAfter ? nil : earliest...latest
  }

  /// For the core, before the reports of a read: frames were missed in it.
  public mutating func missed() -> CoreInput? {
    isOpen && link.takeGap() && isUp ? .missed(id) : nil
  }

  // MARK: Out

  /// The frame by which a report is answered at once; nil: none.
  public mutating func reply(to report: DeviceReport, at now: Instant) -> WireFrame? {
    guard isOpen else { return nil }
    switch report {
    case .refused(let reject): return link.frame(reject, at: now)
    case .ledState: return traceQuestion(at: now)
    // A full frame: there may be more in the device's ring.
    case .trace: return hasMoreTrace ? traceQuestion(at: now) : nil
    default: return nil
    }
  }

  /// The device may forget an event, and is asked when it has heard that. Both are to be sent, in
  /// this order; nil while the line is closed.
  public mutating func acknowledge(
    _ ack: EventAck, at now: Instant
  ) -> (ack: WireFrame, question: WireFrame)? {
    guard isOpen else { return nil }
    return (link.frame(ack, at: now), traceQuestion(at: now))
  }

  private mutating func traceQuestion(at now: Instant) -> WireFrame {
    link.frame(TraceFrame(first: nextTrace ?? 0), at: now)
  }

  /// Says from now on what the core says; sent at the next `nextFrame`. Nil: nobody says it now,
  /// and the device's lease runs out.
  public mutating func indicate(_ indication: Indication?, at now: Instant) {
    guard isOpen else { return }
    if let indication { link.indicate(indication, at: now) } else { link.withholdIndication() }
  }

  // MARK: What the clock alone brings

  /// A frame that is due by the clock alone; call until nil.
  public mutating func nextFrame(at now: Instant) -> WireFrame? {
    isOpen ? link.nextFrame(at: now) : nil
  }

  /// For the core, once, when `nextFrame` has found a link that was up silent.
  public mutating func silence() -> CoreInput? {
    state == .silent ? down("nothing heard for 3 s") : nil
  }

  /// Whether nothing has answered HELLO for three seconds since the opening; true once.
  public mutating func isUnanswered(at now: Instant) -> Bool {
    guard let since = unansweredSince, now - since >= .seconds(3) else { return false }
    unansweredSince = nil
    return true
  }

  /// What contradicted the link's session since the last call; nil: nothing that needs telling.
  public mutating func contestSummary() -> ContestSummary? {
    isOpen ? link.contestSummary() : nil
  }

  /// One summary of an episode of noise that is over, or has lasted ten seconds.
  public mutating func noiseSummary(at now: Instant) -> NoiseSummary? {
    isOpen ? link.noiseSummary(at: now) : nil
  }
}
