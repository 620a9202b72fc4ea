public import FobBase
public import WireProtocol

/// Opening and losing the line, and its timers.
extension HostSession {
  /// When `wake` is next to be called; nil while the line is closed. Mutating, since a non-mutating
  /// getter copies the session.
  public var nextWake: Instant? {
    mutating get {
      guard isOpen else { return nil }
      return .earlier(.earlier(link.nextWake, trace.askAt), pairing?.nextWake)
    }
  }

  // MARK: The line

  /// The line was opened; it may have another device now. `wake` is due.
  /// - Parameters:
  ///   - session: random and never zero, new at each opening.
  ///   - nonce: random, new at each opening: challenges count on from it.
  ///   - indication: what the device is to show first; nil where nobody knows what is true.
  ///   - now: the host's boot clock at the opening; the first HELLO is due then.
  public mutating func opened(
    session: UInt32, nonce: UInt64, indication: Indication?, at now: Instant
  ) {
    link = HostLink(session: session, software: software, isRelay: isRelay, at: now)
    isOpen = true
    device = nil
    unansweredSince = now
    light = nil
    trace = TraceReading()
    self.nonce = nonce
    pairing = nil
    mayHaveTaken = false
    greeting = nil
    proved = ProvedEvents()
    link.indicate(indication, at: now)
  }

  /// The line has gone.
  public mutating func gone(reason: String) -> HostOutput {
    var output = HostOutput()
    isOpen = false
    endPairing(.unanswered, &output)
    tellProof(&output)
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

  /// Reads a TRACE frame of a device that is known and whose clock is fitted. Otherwise its entries
  /// are asked for again later.
  mutating func readTrace(at now: Instant, _ output: inout HostOutput) {
    guard let device, let fit = link.fit else { return }
    link.withPayload { payload in
      trace.read(payload, isSealed: link.isFrameSealed, at: now) {
        output.events.append(.traced($0, device, fit))
      }
    }
  }

  /// Does what is due by the clock.
  public mutating func wake(at now: Instant) -> HostOutput {
    var output = HostOutput()
    if isOpen { addDue(at: now, &output) }
    return output
  }

  mutating func addDue(at now: Instant, _ output: inout HostOutput) {
    while let frame = link.nextFrame(at: now) { output.frames.append(frame) }
    askDue(at: now, &output)
    if let question = trace.question(at: now) {
      output.frames.append(link.frame(question, at: now))
    }
    tellProof(&output)
    // Its key was forgotten meanwhile: it is believed by its word.
    if let greeting, keys[greeting.deviceID] == nil { greet(&output) }
    if link.state == .silent { down("nothing heard for 3 s", &output) }
    if let noise = link.noiseSummary(at: now) { output.events.append(.noise(noise)) }
    if let contest = link.contestSummary() { output.events.append(.contest(contest)) }
    if let since = unansweredSince, now - since >= .seconds(3) {
      unansweredSince = nil
      output.events.append(.unanswered)
    }
  }
}
