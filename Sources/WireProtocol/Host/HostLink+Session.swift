public import FobBase

/// Frames that the clock makes due.
extension HostLink {
  /// The next frame that is due: HELLO, TIME_REQ or INDICATE. Call it until nil.
  public mutating func nextFrame(at now: Instant) -> WireFrame? {
    // Before it counts as silent: one that has said HELLO and nothing else gives no proof, either.
    if state == .linked, seal?.givesUp(at: now) == true {
      nextIndicate = now
      isDoubtNew = true
    }
    if state == .linked, now - lastHeard >= Self.silentAfter {
      state = .silent
      isClockProven = false
      nextHello = now
      nextSync = nil
      nextIndicate = nil
    }
    if contest.takeRenewal(at: now) || state == .linked && seal?.isWornOut == true {
      renew(at: now)
    }
    if state != .linked || isHelloDue, now >= nextHello {
      isHelloDue = false
      nextHello = now + Self.helloEvery
      var hello = Hello(role: .host, session: session, software: software)
      hello.capabilities = Hello.seals
      return frame(hello, at: now)
    }
    guard state == .linked else { return nil }
    if let challenge = seal?.takeChallenge(at: now) {
      challenged(at: now)
      return frame(challenge, at: now)
    }
    guard seal?.state != .waiting else { return nil }
    if let indicate = indicateFrame(at: now) { return indicate }
    if let due = nextSync, now >= due {
      syncsLeft = max(0, syncsLeft - 1)
      lastSync = now
      nextSync = now + (syncsLeft > 0 ? .milliseconds(20) : Self.syncEvery)
      return frame(TimeRequest(hostSend: questions.ask(at: now), session: session), at: now)
    }
    return nil
  }

  /// When to call `nextFrame` and `noiseSummary` next. Mutating, since a non-mutating getter copies
  /// the link.
  public var nextWake: Instant {
    mutating get {
      var wake = state == .linked ? lastHeard + Self.silentAfter : nextHello
      if state == .linked {
        if isHelloDue { wake = min(wake, nextHello) }
        if let due = seal?.nextWake { wake = min(wake, due) }
        if seal?.state != .waiting {
          if let nextSync { wake = min(wake, nextSync) }
          if let nextIndicate, !isWithheld { wake = min(wake, nextIndicate) }
        }
      }
      if let due = noise.due { wake = min(wake, due) }
      if let due = contest.due { wake = min(wake, due) }
      return wake
    }
  }
}

/// The session, and the fit of the device's clock within it.
extension HostLink {
  mutating func opensSession(_ hello: Hello, at now: Instant) -> Bool {
    guard hello.session == session else {
      if hello.session == 0 { ask(at: now) } else { named(hello.session, by: .answer, at: now) }
      return false
    }
    if let bootNonce, hello.bootNonce != bootNonce || hello.deviceID != deviceID {
      ask(at: now)
      return false
    }
    let isNew = state != .linked
    state = .linked
    bootNonce = hello.bootNonce
    deviceID = hello.deviceID
    lastUptime = 0
    sync.deviceBooted(nonce: hello.bootNonce)
    guard isNew else { return false }
    contest.settled()
    lastHeard = now
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

  /// Begins to ask for the proof of a device whose HELLO `next` has just returned; call it at once.
  /// Until the proof comes, for 3 s at most, nothing else is said.
  /// - Parameters:
  ///   - key: nil where this host has none: the device is believed as in section 5.
  ///   - device: the one that HELLO named.
  ///   - nonce: never used before with this key.
  ///   - now: the host's boot clock.
  public mutating func trust(
    _ key: PairingKey?, of device: DeviceID, nonce: UInt64, at now: Instant
  ) {
    isHelloDue = false
    seal = key.map { HostSeal($0, of: device, session: session, nonce: nonce, at: now) }
    if seal == nil, state == .linked, nextSync == nil {
      syncsLeft = Self.syncBurst
      nextSync = now
    }
  }

  /// Whether the device has proved in this session that it has the key of this host.
  public var isProved: Bool { seal?.state == .proved }

  /// Whether a proof is being waited for, and nothing else said.
  public var awaitsProof: Bool { seal?.state == .waiting }

  /// Whether the device has given no proof for three seconds, once.
  public mutating func takeUnproved() -> Bool {
    defer { isDoubtNew = false }
    return isDoubtNew
  }

  mutating func proves(_ proof: Proof, at now: Instant) -> Bool {
    guard state == .linked, seal?.take(proof) == true else { return false }
    syncsLeft = Self.syncBurst
    nextSync = now
    nextIndicate = now
    return true
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
    isHelloDue = false
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
    guard questions.takes(response), sync.receive(response, at: now) else { return false }
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
