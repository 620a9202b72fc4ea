public import FobBase
public import WireProtocol

/// One device at a host, over all the openings of its line: the host's end of the link, and what of
/// it the core hears. Pure; the bridge and the simulation call these functions, and nothing beside
/// them, and perform what each returns at once.
public struct HostSession: Sendable {
  /// The line, as the core knows it.
  public let id: LinkID
  /// As HELLO says, or the first event; kept when the line has gone, until it is opened again.
  public internal(set) var device: DeviceID?
  let software: SoftwareVersion
  /// Of the last opening; asked only while the line is open. No optional, which would be copied to
  /// be asked.
  var link: HostLink
  var isOpen = false
  /// The core was told of a link that is up.
  var isUp = false
  /// Opened, and HELLO not yet answered; nil once that was told.
  var unansweredSince: Instant?
  /// As it was told last.
  var light: LinkEvent.Light?
  var trace = TraceReading()

  /// The line is closed until `opened`.
  /// - Parameter software: the version that this host names in its HELLO.
  public init(_ id: LinkID, software: SoftwareVersion) {
    self.id = id
    self.software = software
    link = HostLink(session: 1, software: software, at: Instant(microseconds: 0))
  }

  /// Of the open link; nil while the line is closed.
  public var state: HostLink.State? { isOpen ? link.state : nil }
  /// How the device's clock runs against the host's; nil while the line is closed or nothing fits
  /// yet.
  public var fit: TimeSync.Fit? { isOpen ? link.fit : nil }

  // MARK: In

  /// One read. What an input says of clocks is judged by all that the read has brought. What is due
  /// by the clock comes at the next `wake`, which may be due by then.
  public mutating func receive(_ bytes: UnsafeRawBufferPointer, at now: Instant) -> HostOutput {
    var output = HostOutput()
    guard isOpen else { return output }
    var messages: [DeviceMessage] = []
    var chunk = bytes
    while let message = link.next(&chunk, at: now) {
      if case .nothing = message { continue }
      if case .trace = message { readTrace(at: now, &output) }
      messages.append(message)
    }
    if link.hasGap {
      link.hasGap = false
      if isUp { output.inputs.append(.missed(id)) }
    }
    for message in messages { take(message, at: now, &output) }
    return output
  }

  private mutating func take(
    _ message: DeviceMessage, at now: Instant, _ output: inout HostOutput
  ) {
    switch message {
    case .hello(let hello):
      device = hello.deviceID
      isUp = true
      unansweredSince = nil
      trace = TraceReading()
      output.inputs.append(.linkUp(id, hello))
      if let trouble = hello.versionTrouble { output.events.append(.versionTrouble(trouble)) }
    case .event(let record):
      // An event says whose it is, be it before the HELLO.
      if device == nil { device = record.identity.deviceID }
      output.inputs.append(.event(id, record, happenedAt: happened(record)))
    case .barePress(let identity): output.inputs.append(.barePress(id, identity))
    case .heartbeat(let beat):
      output.inputs.append(.heartbeat(id, beat))
      let light = LinkEvent.Light(shown: beat.shown, sounder: beat.flags.contains(.sounder))
      // LED_STATE is said once, and may have been lost.
      if light != self.light { tell(light, &output) }
    case .position(let fix):
      output.inputs.append(.position(id, fix))
      output.events.append(.position(fix))
    case .ledState(let led):
      tell(LinkEvent.Light(shown: led.shown, sounder: led.sounder), &output)
      trace.wanted(at: now)
    case .refused(let reject): output.frames.append(link.frame(reject, at: now))
    case .rejected(let reject): output.events.append(.rejected(reject))
    case .time, .battery, .configResult, .trace, .log, .firmwareInfo, .nmeaRaw, .echo, .nothing:
      break
    }
  }

  /// The first edge on the host's boot clock, µs; nil where no fit of that boot tells.
  private func happened(_ record: EventRecord) -> ClosedRange<Int64>? {
    guard let fit = link.provenFit, fit.bootNonce == record.identity.bootNonce,
      record.identity.clock >= UInt64(max(0, fit.since))
    else { return nil }
    let at = fit.hostInstant(record.identity.clock).microseconds
    let (earliest, isBefore) = at.subtractingReportingOverflow(fit.uncertainty)
    let (latest, isAfter) = at.addingReportingOverflow(fit.uncertainty)
    return isBefore || isAfter ? nil : earliest...latest
  }

  // MARK: Out

  /// The device may forget an event.
  /// - Returns: nil while the line is closed: it sends the event again.
  public mutating func acknowledge(_ ack: EventAck, at now: Instant) -> WireFrame? {
    guard isOpen else { return nil }
    trace.wanted(at: now)
    return link.frame(ack, at: now)
  }

  /// Says from now on what the core says. Nil: nobody says it now, and the device's lease runs out.
  /// - Returns: what is to be sent at once.
  public mutating func indicate(_ indication: Indication?, at now: Instant) -> WireFrame? {
    guard isOpen else { return nil }
    link.indicate(indication, at: now)
    return link.indicateFrame(at: now) ?? link.nextFrame(at: now)
  }
}

/// The line of a device: opened, gone, and what is due on it by the clock.
extension HostSession {
  /// When `wake` is next to be called; nil while the line is closed.
  public var nextWake: Instant? {
    guard isOpen else { return nil }
    return .earlier(link.nextWake, trace.askAt)
  }

  // MARK: The line

  /// The line was opened; another device may stand under its name by now. `wake` is due.
  /// - Parameters:
  ///   - session: random and never zero, anew at each opening.
  ///   - indication: nil where nobody says now what is true.
  public mutating func opened(session: UInt32, indication: Indication?, at now: Instant) {
    link = HostLink(session: session, software: software, at: now)
    isOpen = true
    device = nil
    unansweredSince = now
    light = nil
    trace = TraceReading()
    link.indicate(indication, at: now)
  }

  /// The line has gone.
  public mutating func gone(reason: String) -> HostOutput {
    var output = HostOutput()
    isOpen = false
    down(reason, &output)
    return output
  }

  mutating func down(_ reason: String, _ output: inout HostOutput) {
    guard isUp else { return }
    isUp = false
    output.inputs.append(.linkDown(id, reason: reason))
  }

  mutating func tell(_ light: LinkEvent.Light, _ output: inout HostOutput) {
    self.light = light
    output.events.append(.light(light))
  }

  /// Of a device that is known and whose clock is fitted; else its entries are asked for again.
  mutating func readTrace(at now: Instant, _ output: inout HostOutput) {
    guard let device, let fit = link.fit else { return }
    link.withPayload { payload in
      trace.read(payload, at: now) { output.events.append(.traced($0, device, fit)) }
    }
  }

  /// What the clock alone brings.
  public mutating func wake(at now: Instant) -> HostOutput {
    var output = HostOutput()
    if isOpen { addDue(at: now, &output) }
    return output
  }

  mutating func addDue(at now: Instant, _ output: inout HostOutput) {
    while let frame = link.nextFrame(at: now) { output.frames.append(frame) }
    if let question = trace.question(at: now) {
      output.frames.append(link.frame(question, at: now))
    }
    if link.state == .silent { down("nothing heard for 3 s", &output) }
    if let noise = link.noiseSummary(at: now) { output.events.append(.noise(noise)) }
    if let contest = link.contestSummary() { output.events.append(.contest(contest)) }
    if let since = unansweredSince, now - since >= .seconds(3) {
      unansweredSince = nil
      output.events.append(.unanswered)
    }
  }
}

/// What was read of a device's trace ring in one session, and when it is asked for more: by a rule
/// of its own, so that no ack waits for telemetry, and no device has a question for each frame.
struct TraceReading: Sendable {
  /// From the moment that there is something to ask for: by then the light has changed, too.
  static let delay = Interval.milliseconds(20)

  /// The entry to ask for next; nil until one was read.
  private var next: UInt32?
  private(set) var askAt: Instant?

  /// The device has done what its trace tells of.
  mutating func wanted(at now: Instant) {
    if askAt == nil { askAt = now + Self.delay }
  }

  /// Reads the entries of a TRACE frame that were not read before, and asks on where it is full.
  mutating func read(
    _ payload: UnsafeRawBufferPointer, at now: Instant, _ take: (TraceEntry) -> Void
  ) {
    var next = next
    var count = 0
    TraceFrame.entries(payload) { index, entry in
      count += 1
      // Indexes wrap; and what a device of long uptime says first is later than any 0.
      if let next, Int32(bitPattern: index &- next) < 0 { return }
      next = index &+ 1
      take(entry)
    }
    if count == TraceEntry.maxInFrame, next != self.next { wanted(at: now) }
    self.next = next
  }

  /// The question, if it is due.
  mutating func question(at now: Instant) -> TraceFrame? {
    guard let askAt, askAt <= now else { return nil }
    self.askAt = nil
    return TraceFrame(first: next ?? 0)
  }
}
