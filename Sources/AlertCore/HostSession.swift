public import FobBase
public import WireProtocol

/// One device at a host, over all openings of its line: the host's end of the link, and its inputs
/// to the core. It is pure. The bridge and the simulation call these functions alone, and perform
/// at once what each returns.
public struct HostSession: Sendable {
  /// The line, as the core knows it.
  public let id: LinkID
  /// Named by HELLO or by the first event. It stays when the line has gone, until the next opening.
  public internal(set) var device: DeviceID?
  let software: SoftwareVersion
  /// The link of the last opening, used only while the line is open. It is not optional, since an
  /// optional would be copied at each use.
  var link: HostLink
  var isOpen = false
  /// The core was told that the link is up.
  var isUp = false
  /// Since when HELLO is unanswered; nil once it was answered or that was told.
  var unansweredSince: Instant?
  /// The light that watchers were told last.
  var light: LinkEvent.Light?
  var trace = TraceReading()
  /// The keys of the devices that this host's core is paired with.
  public var keys: [DeviceID: PairingKey] = [:]
  /// Keys that devices were given in a pairing of which nobody knows the end.
  public var offered: [DeviceID: PairingKey] = [:]
  /// The device is being asked to take a key, or to forget it, or whether it has one.
  var pairing: PairingTalk?
  /// The device is still to be asked for the key that it was offered, where it has none before.
  var mayHaveTaken = false
  /// The core was told that the device shows no key.
  var lacksProof = false
  /// HELLO of a device whose proof is still to come.
  var greeting: Hello?
  /// Made anew for each challenge.
  var nonce: UInt64 = 0
  /// What the device has proved. In a sealed session no other event is acked.
  var proved = ProvedEvents()
  /// The keys are at a core on another host: what the device seals is handed on to it.
  let isRelay: Bool

  /// The line is closed until `opened`.
  /// - Parameters:
  ///   - id: the line, as the core knows it.
  ///   - software: the version that HELLO names to the device.
  ///   - isRelay: whether the core is on another host, so that this one has no keys.
  public init(_ id: LinkID, software: SoftwareVersion, isRelay: Bool = false) {
    self.id = id
    self.isRelay = isRelay
    self.software = software
    link = HostLink(session: 1, software: software, at: Instant(microseconds: 0))
  }

  /// The link's state; nil while the line is closed.
  public var state: HostLink.State? { isOpen ? link.state : nil }
  /// How the device's clock runs against the host's; nil while the line is closed or nothing fits
  /// yet.
  public var fit: TimeSync.Fit? { isOpen ? link.fit : nil }

  /// Whether the device has proved its key in the present session.
  public var isProved: Bool { isOpen && link.isProved }

  // MARK: In

  /// Takes the bytes of one read. All of them update the clock fit before any input is dated.
  /// Timers run at the next `wake`, which may be due by then.
  public mutating func receive(_ bytes: UnsafeRawBufferPointer, at now: Instant) -> HostOutput {
    var output = HostOutput()
    guard isOpen else { return output }
    var messages: [Judged] = []
    let wasProven = link.provenFit != nil
    var chunk = bytes
    while let message = link.next(&chunk, at: now) {
      if case .nothing = message { continue }
      if case .trace = message { readTrace(at: now, &output) }
      messages.append(judged(message, at: now))
    }
    if link.hasGap {
      link.hasGap = false
      if isUp { output.inputs.append(.missed(id)) }
    }
    for message in messages { take(message, at: now, &output) }
    if !wasProven, let fit = link.provenFit {
      output.inputs.append(.clockFit(id, fit, provenAt: link.lastUptime))
    }
    return output
  }

  private mutating func take(
    _ judged: Judged, at now: Instant, _ output: inout HostOutput
  ) {
    switch judged.message {
    case .barePress(let identity) where judged.isUnproved:
      output.inputs.append(.unprovedPress(id, identity))
    case .hello(let hello):
      device = hello.deviceID
      unansweredSince = nil
      trace = TraceReading()
      if let trouble = hello.versionTrouble { output.events.append(.versionTrouble(trouble)) }
      greeting = hello
      mayHaveTaken = true
      if keys[hello.deviceID] == nil { greet(&output) }
    case .proof where judged.isOfLabel: endPairing(.paired, &output)
    case .proof:
      proveLine(&output)
      hand(judged.sealed, nil, instead: nil, &output)
    case .pairResult(let result): takeAnswer(result, &output)
    case .event(let record):
      // An event names its device, so one that comes before HELLO does too.
      if device == nil { device = record.identity.deviceID }
      let at = happened(record)
      hand(judged.sealed, at, instead: .event(id, record, happenedAt: at), &output)
    case .barePress(let identity): output.inputs.append(.barePress(id, identity))
    case .heartbeat(let beat):
      hand(judged.sealed, nil, instead: .heartbeat(id, beat), &output)
      let light = LinkEvent.Light(beat)
      // LED_STATE is said once, and may have been lost.
      if light != self.light { tell(light, &output) }
    case .position(let fix):
      hand(judged.sealed, nil, instead: .position(id, fix), &output)
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

  /// Hands a sealed frame to the core that can judge it, and any other message to the core as it
  /// is.
  private func hand(
    _ sealed: RelayedFrame?, _ happenedAt: ClosedRange<Int64>?, instead input: CoreInput?,
    _ output: inout HostOutput
  ) {
    if let sealed {
      output.relayed.append(HostOutput.Relayed(frame: sealed, happenedAt: happenedAt))
    } else if let input {
      output.inputs.append(input)
    }
  }

  /// When the first edge was, on the host's boot clock, µs; nil where no fit of that boot is
  /// proven.
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

  /// Tells the device that it may forget an event.
  /// - Returns: nil while the line is closed: the device sends the event again.
  public mutating func acknowledge(_ ack: EventAck, at now: Instant) -> WireFrame? {
    guard isOpen, !link.isProved || proved.contains(ack) else { return nil }
    trace.wanted(at: now)
    return link.frame(ack, at: now)
  }

  /// Sets what the device is to show. Nil: nobody knows, and the device's lease runs out.
  /// - Returns: the frame to send at once; nil: none.
  public mutating func indicate(_ indication: Indication?, at now: Instant) -> WireFrame? {
    guard isOpen else { return nil }
    link.indicate(indication, at: now)
    return link.indicateFrame(at: now) ?? link.nextFrame(at: now)
  }
}

/// How far a device's trace ring was read in one session, and when more is asked for. Questions
/// have a delay of their own: no ack waits for telemetry, and a device gets no question for each
/// frame.
struct TraceReading: Sendable {
  /// From the first new entry to the question: by then the light has changed, too.
  static let delay = Interval.milliseconds(20)

  /// The entry to ask for next; nil until one was read.
  private var next: UInt32?
  private(set) var askAt: Instant?

  /// The device has done something that its trace will tell.
  mutating func wanted(at now: Instant) {
    if askAt == nil { askAt = now + Self.delay }
  }

  /// Reads the new entries of a TRACE frame, and asks for more where the frame was full.
  mutating func read(
    _ payload: UnsafeRawBufferPointer, isSealed: Bool, at now: Instant,
    _ take: (TraceEntry) -> Void
  ) {
    var next = next
    var count = 0
    TraceFrame.entries(payload) { index, entry in
      count += 1
      // Indexes wrap, so the difference is compared. The first entry heard counts as new whatever
      // its index.
      if let next, Int32(bitPattern: index &- next) < 0 { return }
      next = index &+ 1
      take(entry)
    }
    if count == TraceEntry.maxInFrame - (isSealed ? 1 : 0), next != self.next { wanted(at: now) }
    self.next = next
  }

  /// The request for more entries, if it is due.
  mutating func question(at now: Instant) -> TraceFrame? {
    guard let askAt, askAt <= now else { return nil }
    self.askAt = nil
    return TraceFrame(first: next ?? 0)
  }
}
