public import FobBase

/// Frames that the clock makes due.
extension HostLink {
  /// The next frame that is due: HELLO, TIME_REQ or INDICATE. Call it until nil.
  public mutating func nextFrame(at now: Instant) -> WireFrame? {
    if state == .linked, now - lastHeard >= Self.silentAfter {
      state = .silent
      isClockProven = false
      nextHello = now
      nextSync = nil
      nextIndicate = nil
    }
    if contest.takeRenewal(at: now) { renew(at: now) }
    if state != .linked, now >= nextHello {
      nextHello = now + Self.helloEvery
      return frame(Hello(role: .host, session: session, software: software), at: now)
    }
    guard state == .linked else { return nil }
    if let indicate = indicateFrame(at: now) { return indicate }
    if let due = nextSync, now >= due {
      syncsLeft = max(0, syncsLeft - 1)
      lastSync = now
      nextSync = now + (syncsLeft > 0 ? .milliseconds(20) : Self.syncEvery)
      let request = TimeRequest(
        hostSend: UInt64(bitPattern: now.microseconds), session: session)
      return frame(request, at: now)
    }
    return nil
  }

  /// When to call `nextFrame` and `noiseSummary` next.
  public var nextWake: Instant {
    var wake = state == .linked ? lastHeard + Self.silentAfter : nextHello
    if state == .linked {
      if let nextSync { wake = min(wake, nextSync) }
      if let nextIndicate, !isWithheld { wake = min(wake, nextIndicate) }
    }
    if let due = noise.due { wake = min(wake, due) }
    if let due = contest.due { wake = min(wake, due) }
    return wake
  }
}

/// The session, and the fit of the device's clock within it.
extension HostLink {
  mutating func opensSession(_ hello: Hello, at now: Instant) -> Bool {
    guard hello.session == session else {
      if hello.session == 0 { ask(at: now) } else { named(hello.session, by: .answer, at: now) }
      return false
    }
    if let bootNonce, hello.bootNonce != bootNonce {
      ask(at: now)
      return false
    }
    let isNew = state != .linked
    state = .linked
    bootNonce = hello.bootNonce
    lastUptime = 0
    sync.deviceBooted(nonce: hello.bootNonce)
    guard isNew else { return false }
    contest.settled()
    syncsLeft = Self.syncBurst
    nextSync = now
    nextIndicate = now
    return true
  }

  /// Begins a new session, because the device has booted since or obeys another host. The session
  /// waits where answers go on contradicting each other.
  mutating func ask(at now: Instant) {
    isClockProven = false
    if contest.wantsRenewal(at: now) { renew(at: now) }
  }

  mutating func named(_ nonce: UInt32, by sign: SessionConflict.Sign, at now: Instant) {
    guard state == .linked, contest.isForeign(nonce, by: sign, to: session) else { return }
    ask(at: now)
  }

  /// Begins a new session, which takes whatever boot answers.
  mutating func renew(at now: Instant) {
    session = session &+ 1 == 0 ? 1 : session &+ 1
    state = .asking
    isClockProven = false
    bootNonce = nil
    nextHello = now
    nextSync = nil
    nextIndicate = nil
    contest.renewed()
  }

  /// Asks for the device's clock at once: a frame that was missed may have said that it went back.
  mutating func doubtClock(at now: Instant) {
    isClockProven = false
    guard state == .linked, syncsLeft == 0 else { return }
    nextSync = min(nextSync ?? now, max(now, lastSync + Self.doubtEvery))
  }

  mutating func fitsClock(_ response: TimeResponse, at now: Instant) -> Bool {
    guard response.session == session, let bootNonce else {
      named(response.session, by: .clock, at: now)
      return false
    }
    guard response.bootNonce == bootNonce else {
      ask(at: now)
      return false
    }
    guard sync.receive(response, at: now) else { return false }
    isClockProven = true
    lastUptime = response.deviceSend
    if sync.isNew, syncsLeft == 0 {
      syncsLeft = Self.syncBurst - 1
      nextSync = now
    }
    return true
  }

  /// Finds a boot whose HELLO was lost: the device's clock ran backwards.
  mutating func compareUptime(_ beat: Heartbeat, at now: Instant) {
    if beat.uptime < lastUptime && state == .linked { ask(at: now) }
    lastUptime = beat.uptime
    if let fit, isBehind(beat, by: fit, at: now) { doubtClock(at: now) }
  }

  /// Whether a heartbeat came more than `maxLag` later than the fit says. The line was slow, or the
  /// device's clock is: one that lags would make a press look older than it is.
  func isBehind(_ beat: Heartbeat, by fit: TimeSync.Fit, at now: Instant) -> Bool {
    let (lag, isAbsurd) = now.microseconds.subtractingReportingOverflow(
      fit.hostInstant(beat.uptime).microseconds)
    return isAbsurd || lag > Self.maxLag.microseconds
  }
}
