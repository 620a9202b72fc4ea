package import FobBase
package import WireProtocol

/// Keychains that the core is paired with, on lines of bridges (PROTOCOL.md, 15). A bridge has no
/// key: of what it says in such a keychain's name only a press counts, and as one without proof.
extension FeedTable {
  /// What the clock brings to the seals.
  package struct SealNews {
    /// For the core, in order.
    package var inputs: [CoreInput] = []
    /// Keychains that have given no proof for three seconds.
    package var unproved: [DeviceID] = []
  }

  /// Takes the keys as they are now. A keychain whose key has changed is asked for its proof anew.
  /// - Parameter offered: keys that keychains were given in a pairing of which nobody knows the
  ///   end.
  /// - Returns: the inputs for the core.
  package mutating func use(
    _ keys: [DeviceID: PairingKey], offered: [DeviceID: PairingKey] = [:], at now: Instant
  ) -> [CoreInput] {
    let old = self.keys
    self.keys = keys
    self.offered = offered
    var inputs: [CoreInput] = []
    forEachLine { table, line in
      guard let hello = line.hello else { return }
      switch (old[hello.deviceID], keys[hello.deviceID]) {
      case (nil, nil): break
      case (let old?, let new?) where old == new: break
      default: table.greet(hello, on: &line, at: now, &inputs)
      }
    }
    return inputs
  }

  /// The signals that have come up since the last call, in the order in which they are to be said.
  package mutating func takeSignals() -> [(bridge: BridgeRun, signal: FeedSignal)] {
    defer { signals = [] }
    return signals
  }

  // MARK: The key of a label

  /// Begins to ask a keychain whether it has this key, on each line that names it: any of them may
  /// be a stranger's. `keepSeals` is due then.
  /// - Returns: false where no line of a bridge has it, or its proof of another key is awaited.
  package mutating func ask(
    for key: PairingKey, of device: DeviceID, at now: Instant
  ) -> Bool {
    var asked = 0
    forEachLine { table, line in
      guard let hello = line.hello, hello.deviceID == device,
        line.seal.map({ $0.isProved || $0.isUnproved }) ?? true
      else { return }
      table.ask(hello, for: key, on: &line, isSettling: false, at: now)
      asked += 1
    }
    askedLines[device] = asked > 0 ? asked : nil
    return asked > 0
  }

  private mutating func ask(
    _ hello: Hello, for key: PairingKey, on line: inout Line, isSettling: Bool, at now: Instant
  ) {
    nonce &+= 1
    line.asking = Asking(
      seal: HostSeal(key, of: hello.deviceID, session: hello.session, nonce: nonce, at: now),
      isSettling: isSettling)
  }

  /// Keychains that have proved the key of their label, or have not in three seconds.
  package mutating func takeAskedKeys() -> [(device: DeviceID, isProved: Bool)] {
    defer { askedKeys = [] }
    return askedKeys
  }

  /// Keychains that have shown whether they have taken the key that they were offered.
  package mutating func takeOffers() -> [(device: DeviceID, isTaken: Bool)] {
    defer { offers = [] }
    return offers
  }

  /// Who has asked hears of the first line that proves the key, else of the last that does not.
  mutating func end(_ asking: Asking, isProved: Bool) {
    let device = asking.seal.device
    if asking.isSettling {
      if isProved { offers.append((device, true)) }
    } else if let left = askedLines[device] {
      let isOver = isProved || left == 1
      askedLines[device] = isOver ? nil : left - 1
      if isOver { askedKeys.append((device, isProved)) }
    }
  }

  private mutating func keepAsking(on line: inout Line, at now: Instant) {
    if line.asking == nil, line.seal?.isUnproved == true, let hello = line.hello,
      let key = offered[hello.deviceID]
    {
      ask(hello, for: key, on: &line, isSettling: true, at: now)
    }
    guard var asking = line.asking else { return }
    if asking.seal.givesUp(at: now) {
      line.asking = nil
      return end(asking, isProved: false)
    }
    if let challenge = asking.seal.takeChallenge(at: now) {
      say(RelayedFrame(FrameBody(challenge, sequence: 0)), on: line)
    }
    line.asking = asking
  }

  // MARK: In

  /// A device has answered on a line, or none does any more: with a key by its proof, else by its
  /// word.
  mutating func greet(
    _ hello: Hello?, on line: inout Line, at now: Instant, _ inputs: inout [CoreInput]
  ) {
    if line.seal?.isUnproved == true { inputs.append(.proof(line.link, .over)) }
    line.seal = nil
    guard let hello else { return }
    guard let key = keys[hello.deviceID] else {
      inputs.append(.linkUp(line.link, hello))
      line.isUp = true
      if let key = offered[hello.deviceID] {
        ask(hello, for: key, on: &line, isSettling: true, at: now)
      }
      return
    }
    // The link of one that has booted stays, for the three seconds in which its proof may come.
    if line.hello?.deviceID != hello.deviceID { inputs += line.down("another keychain is there") }
    nonce &+= 1
    line.seal = RemoteSeal(key, hello, nonce: nonce, at: now)
    sayChallenge(on: &line, at: now)
  }

  /// What one of a batch's inputs is to the core; nil: nothing.
  mutating func judge(
    _ input: CheckedFeed.Input, on line: inout Line, isLate: Bool, sentIn sent: ClosedRange<Int64>?,
    at now: Instant
  ) -> CoreInput? {
    switch input {
    case .event(let record, let age):
      return event(record, nil, on: &line, happenedAt: Self.happened(age, sent))
    case .barePress(let identity):
      return keys[identity.deviceID] == nil
        ? .barePress(line.link, identity) : .unprovedPress(line.link, identity)
    case .heartbeat(let beat):
      return isLate || line.seal != nil ? nil : .heartbeat(line.link, beat)
    case .position(let fix):
      return isLate || line.seal != nil ? nil : .position(line.link, fix)
    case .relayed(let frame, let age):
      if frame.type == .event {
        return frame.read(EventRecord.self).flatMap {
          event($0, frame, on: &line, happenedAt: Self.happened(age, sent))
        }
      }
      return isLate ? nil : reading(frame, on: &line, at: now)
    }
  }

  /// An event is proved by the key of the keychain that it names, on whichever line.
  /// - Parameter frame: nil where nothing seals the event.
  private func event(
    _ record: EventRecord, _ frame: RelayedFrame?, on line: inout Line,
    happenedAt: ClosedRange<Int64>?
  ) -> CoreInput? {
    guard let key = keys[record.identity.deviceID] else {
      return .event(line.link, record, happenedAt: happenedAt)
    }
    let isProved = frame?.withBody { key.proves(eventBody: $0) } ?? false
    switch line.seal?.judge(record, isProved: isProved)
      ?? ProvedEvents.verdict(on: record, isProved: isProved)
    {
    case .proved: return .event(line.link, record, happenedAt: happenedAt)
    case .unprovedPress: return .unprovedPress(line.link, record.identity)
    case .ignored: return nil
    }
  }

  /// PROOF, and what is sealed by the session. A keychain that was just heard is told its light:
  /// its clock, by which it knows that the light is fresh, is the newest there is.
  private mutating func reading(
    _ frame: RelayedFrame, on line: inout Line, at now: Instant
  ) -> CoreInput? {
    if frame.type == .proof {
      guard let proof = frame.read(Proof.self), let hello = line.hello else { return nil }
      if line.asking?.seal.take(proof) == true {
        if let asking = line.asking.take() { end(asking, isProved: true) }
        return nil
      }
      guard line.seal?.take(proof, at: now) == true else { return nil }
      if offered[hello.deviceID] != nil { offers.append((hello.deviceID, false)) }
      line.isUp = true
      sayLight(on: &line)
      return .linkUp(line.link, hello)
    }
    guard line.seal?.takes(frame, at: now) == true else { return nil }
    switch frame.type {
    case .heartbeat:
      sayLight(on: &line)
      return frame.read(Heartbeat.self).map { .heartbeat(line.link, $0) }
    case .gpsFix: return frame.read(PositionFix.self).map { .position(line.link, $0) }
    default: return nil
    }
  }

  // MARK: Out

  /// - Returns: whether only a sealed ack counts on this line; it is said, where the event is
  ///   proved.
  mutating func sealAck(_ ack: EventAck, _ bridge: BridgeRun, _ number: Int) -> Bool {
    guard var line = bridges[bridge]?.lines[number], line.seal?.isProved == true else {
      return false
    }
    if let frame = line.seal?.frame(ack) { say(frame, on: line) }
    bridges[bridge]?.lines[number] = line
    return true
  }

  /// - Returns: whether the light of this line is said sealed, or is not said before the proof.
  mutating func sealLight(_ bridge: BridgeRun, _ number: Int) -> Bool {
    guard var line = bridges[bridge]?.lines[number], line.seal?.isUnproved == false else {
      return false
    }
    sayLight(on: &line)
    bridges[bridge]?.lines[number] = line
    return true
  }

  private mutating func sayLight(on line: inout Line) {
    guard line.seal?.isProved == true, let shown = line.shown,
      let frame = line.seal?.frame(shown)
    else { return }
    say(frame, on: line)
  }

  private mutating func sayChallenge(on line: inout Line, at now: Instant) {
    if let frame = line.seal?.challenge(at: now) { say(frame, on: line) }
  }

  private mutating func say(_ frame: RelayedFrame, on line: Line) {
    guard let place = place(of: line.link) else { return }
    signals.append((place.bridge, .frame(line: place.line, frame)))
  }

  // MARK: What the clock alone brings

  /// Asks for proofs that are due. A keychain that gives none is no longer linked, and is told its
  /// light as it was told before there were keys.
  package mutating func keepSeals(at now: Instant) -> SealNews {
    var news = SealNews()
    forEachLine { table, line in
      table.keepAsking(on: &line, at: now)
      guard let hello = line.hello, let seal = line.seal else { return }
      let isSilent = seal.isSilent(at: now)
      if isSilent { news.inputs += line.down("nothing that is proved was heard for 10 s") }
      if isSilent || seal.isWornOut {
        table.greet(hello, on: &line, at: now, &news.inputs)
      } else if line.seal?.givesUp(at: now) == true {
        news.inputs += line.down("no proof has come for 3 s")
        news.inputs.append(.proof(line.link, .missing(hello.deviceID)))
        news.unproved.append(hello.deviceID)
        if let place = table.place(of: line.link), let shown = line.shown {
          table.signals.append((place.bridge, .indicate(FeedSignal.Shown(place.line, shown))))
        }
      }
      table.sayChallenge(on: &line, at: now)
    }
    return news
  }

  /// When `keepSeals` is next to be called; nil where no keychain has a key.
  var nextSealWake: Instant? {
    var wake: Instant?
    for bridge in bridges.values {
      for line in bridge.lines.values {
        wake = .earlier(wake, .earlier(line.seal?.nextWake, line.asking?.seal.nextWake))
      }
    }
    return wake
  }

  /// In order: a dictionary has another in each process.
  private mutating func forEachLine(_ change: (inout FeedTable, inout Line) -> Void) {
    for bridge in bridges.keys.sorted() {
      for number in (bridges[bridge]?.lines.keys.sorted() ?? []) {
        guard var line = bridges[bridge]?.lines[number] else { continue }
        change(&self, &line)
        bridges[bridge]?.lines[number] = line
      }
    }
  }
}

extension FeedTable.Line {
  /// What may be said unsealed of what the device is to show.
  var plainlyShown: Indication? { seal?.isUnproved == false ? nil : shown }

  /// The link is down: the core is told where it was told that it was up.
  mutating func down(_ reason: String) -> [CoreInput] {
    guard isUp else { return [] }
    isUp = false
    return [.linkDown(link, reason: reason)]
  }
}
