package import FobBase
package import WireProtocol

/// One run of a bridge, as a core knows it. The holder is part of its name, so nobody can speak for
/// a bridge with another token.
package struct BridgeRun: Hashable, Comparable, Sendable {
  /// The name of the token or session that lets it in.
  package let holder: String
  /// `CheckedFeed.bridge`.
  package let name: String

  /// - Parameter name: the bridge's own, new in each of its runs.
  package init(holder: String, name: String) {
    self.holder = holder
    self.name = name
  }

  package static func < (a: BridgeRun, b: BridgeRun) -> Bool {
    (a.holder, a.name) < (b.holder, b.name)
  }
}

/// The bridges that feed a core, their lines, and the batches that wait for acks. Its functions
/// return the inputs for the core.
package struct FeedTable: Sendable {
  struct Line: Sendable {
    let link: LinkID
    /// The HELLO of the open link; nil: the link is down.
    var hello: Hello?
    var sequence: Int64
    /// What the core last told the device to show.
    var shown: Indication?
    /// The core was told that the link is up.
    var isUp = false
    /// The seal with the device, where the core has a key for it.
    var seal: RemoteSeal?
    /// Asks the device whether it has the key that a label tells, or one that it was offered.
    var asking: Asking?
    var reserve = LineReserve()
  }

  /// What is kept of a line that is gone.
  private struct Spare: Sendable {
    /// The line's number.
    let line: Int
    let link: LinkID
    let reserve: LineReserve
  }

  /// A device is asked for the proof of a key while its sealed session goes on.
  struct Asking: Sendable {
    var seal: HostSeal
    /// The key was offered in a pairing of which nobody knows the end, and nobody waits.
    let isSettling: Bool
  }

  struct FeedBridge: Sendable {
    var heardAt: Instant
    /// Its stream has ended.
    var hasLeft = false
    var lines: [Int: Line] = [:]
  }

  /// A batch of which some events are not committed yet.
  struct Waiting: Sendable {
    let id: UInt64
    let link: LinkID
    var missing: Set<EventAck>
    var got: [EventAck] = []
    let deadline: Instant
  }

  /// What the answer to a batch says.
  package struct Answer: Equatable, Sendable {
    /// The batch.
    package let id: UInt64
    /// Those of its events that are committed.
    package let acks: [EventAck]
    /// What its keychain is to show; nil where nothing is known, or only sealed frames say it.
    package let shown: FeedSignal.Shown?
  }

  /// Where an ack goes.
  package enum Destination: Equatable {
    case nobody
    /// It goes sealed to the stream, if the keychain has proved the event: `takeSignals` has it.
    case sealed
    /// It is part of a batch's answer that is not complete yet.
    case waits
    case completes(Answer)
    case stream(bridge: BridgeRun, line: Int)
  }

  /// The first link of a bridge's line; lines of the core's own process have lower numbers.
  package static let firstLink = 1 << 20
  static let maxBridges = 512
  /// A limit for each holder, so that a stolen token cannot keep out other bridges.
  static let maxBridgesOfHolder = 16
  static let maxLinesOfHolder = Limits.devices / 4
  /// Limits what the lines of a holder bring beyond their reserves, over all its bridges. Events
  /// beyond it are not acked, and come again.
  static let holderPace = RateLimit(burst: 1_024, every: .milliseconds(10), longest: .minutes(1))
  private static let maxHolders = 256
  /// How long the answer to a batch waits for commits; the line's next batch waits behind it.
  static let answerWithin = Interval.milliseconds(250)
  static let silentAfter = Interval.seconds(10)
  /// Between heartbeats on each stream, which tell its bridge that the core lives.
  package static let heartbeatEvery = Interval.seconds(2)

  /// `FeedTable+Seal` changes lines, too.
  var bridges: [BridgeRun: FeedBridge] = [:]
  private var waiting: [Waiting] = []
  private var owners: [LinkID: (bridge: BridgeRun, line: Int)] = [:]
  /// The keys of the keychains that the core is paired with.
  var keys: [DeviceID: PairingKey] = [:]
  /// Keys that keychains were given in a pairing of which nobody knows the end.
  var offered: [DeviceID: PairingKey] = [:]
  /// Made anew for each challenge.
  var nonce: UInt64
  /// Frames for keychains, in the order in which they are to be said: their counters grow.
  var signals: [(bridge: BridgeRun, signal: FeedSignal)] = []
  /// Keychains that were asked for the key of their label, and whether they have proved it.
  var askedKeys: [(device: DeviceID, isProved: Bool)] = []
  /// On how many lines a keychain is still asked for the key of its label.
  var askedLines: [DeviceID: Int] = [:]
  /// Keychains that have shown whether they have taken the key that they were offered.
  var offers: [(device: DeviceID, isTaken: Bool)] = []
  /// Kept while a holder is silent: otherwise each new name would get a fresh limit.
  private var paces: [String: RateLimiter] = [:]
  private var nextLink = firstLink
  /// Lines of a holder's bridges that are gone. The holder's next line goes on with the link of one
  /// of them, and so with its limits: otherwise each new name would get fresh limits.
  private var spares: [String: [Spare]] = [:]
  private var lastBatch: UInt64 = 0

  /// No bridge feeds the core yet.
  /// - Parameter nonce: random, new in each run of a core that has keys: challenges count on from
  ///   it.
  package init(nonce: UInt64 = 0) { self.nonce = nonce }

  /// Takes a batch.
  /// - Parameter holder: the token or session that lets its bridge in.
  /// - Returns: the inputs for the core, in order; and the batch's number if its events wait for
  ///   commits.
  package mutating func take(
    _ batch: CheckedFeed, of holder: String, at now: Instant
  ) throws(FeedRefusal) -> (inputs: [CoreInput], waitsFor: UInt64?) {
    let bridge = BridgeRun(holder: holder, name: batch.bridge)
    var inputs: [CoreInput] = []
    if !hasRoom(for: batch, of: bridge) {
      inputs = forgetLeft(of: holder)
      guard hasRoom(for: batch, of: bridge) else {
        // What is not acked comes again.
        if inputs.isEmpty { throw .full }
        return (inputs, nil)
      }
    }
    var (line, isLate) = line(of: batch, of: bridge, at: now)
    defer { bridges[bridge]?.lines[batch.line] = line }
    if !isLate { follow(batch, &line, at: now, &inputs) }
    let sent = batch.echo.flatMap { Self.sentRange($0, at: now) }
    var acks: [EventAck] = []
    for input in batch.inputs {
      guard let judged = judge(input, on: &line, isLate: isLate, sentIn: sent, at: now),
        input.ack == nil || line.reserve.take(judged, at: now) || isInPace(holder, at: now)
      else { continue }
      inputs.append(judged)
      // Of a batch's inputs only PROOF links a line.
      if case .linkUp(let link, _) = judged { inputs.append(.proof(link, .given)) }
      if let ack = input.ack, line.seal?.isProved != true { acks.append(ack) }
    }
    guard !acks.isEmpty else { return (inputs, nil) }
    lastBatch += 1
    waiting.append(
      Waiting(
        id: lastBatch, link: line.link, missing: Set(acks), deadline: now + Self.answerWithin))
    return (inputs, lastBatch)
  }

  private mutating func isInPace(_ holder: String, at now: Instant) -> Bool {
    if paces[holder] == nil, paces.count >= Self.maxHolders {
      let holders = Set(bridges.keys.map(\.holder))
      paces = paces.filter { holders.contains($0.key) }
    }
    return paces[holder, default: RateLimiter(Self.holderPace)].take(at: now) != nil
  }

  private func hasRoom(for batch: CheckedFeed, of bridge: BridgeRun) -> Bool {
    guard bridges[bridge] != nil || Self.hasRoom(for: bridge, among: bridges.keys) else {
      return false
    }
    if bridges[bridge]?.lines[batch.line] != nil { return true }
    return owners.count < Limits.devices
      && owners.values.count { $0.bridge.holder == bridge.holder } < Self.maxLinesOfHolder
  }

  private mutating func line(
    of batch: CheckedFeed, of bridge: BridgeRun, at now: Instant
  ) -> (Line, isLate: Bool) {
    if let line = bridges[bridge]?.lines[batch.line] {
      bridges[bridge]?.heardAt = now
      return (line, batch.sequence <= line.sequence)
    }
    let line = newLine(batch.line, of: bridge.holder, from: batch.sequence)
    owners[line.link] = (bridge, batch.line)
    bridges[bridge, default: FeedBridge(heardAt: now)].lines[batch.line] = line
    bridges[bridge]?.heardAt = now
    return (line, false)
  }

  /// After a restart each line has its own limits again: those of another may be used up.
  private mutating func newLine(
    _ number: Int, of holder: String, from sequence: Int64
  ) -> Line {
    if var left = spares[holder], let last = left.indices.last {
      let spare = left.remove(at: left.lastIndex { $0.line == number } ?? last)
      spares[holder] = left
      return Line(link: spare.link, sequence: sequence, reserve: spare.reserve)
    }
    defer { nextLink += 1 }
    return Line(link: LinkID(rawValue: nextLink), sequence: sequence)
  }

  /// Whether one bridge more fits beside the others.
  package static func hasRoom(for bridge: BridgeRun, among others: some Collection<BridgeRun>)
    -> Bool
  {
    others.count < maxBridges
      && others.count { $0.holder == bridge.holder } < maxBridgesOfHolder
  }

  /// Turns the link's state into inputs, by what has changed since the last batch.
  private mutating func follow(
    _ batch: CheckedFeed, _ line: inout Line, at now: Instant, _ inputs: inout [CoreInput]
  ) {
    let hello = batch.hello
    let isLost = line.hello != nil && (hello == nil || batch.down != nil)
    if isLost { inputs += line.down(batch.down ?? "the bridge lost it") }
    if isLost || hello != line.hello { greet(hello, on: &line, at: now, &inputs) }
    // A batch was lost on its way, or frames were lost before it.
    if batch.sequence &- line.sequence > 1 { inputs.append(.missed(line.link)) }
    if let trouble = batch.trouble {
      inputs.append(.unavailable(line.link, reason: trouble))
    }
    line.hello = hello
    line.sequence = batch.sequence
  }

  /// When a batch was sent, on the core's clock: after the clock value that the bridge had heard,
  /// and before it arrived. The bridge's clock may run 1000 ppm fast.
  private static func sentRange(_ echo: FeedEcho, at now: Instant) -> ClosedRange<Int64>? {
    let earliest = echo.clock + echo.held - echo.held / 1_000
    return earliest <= now.microseconds ? earliest...now.microseconds : nil
  }

  static func happened(
    _ age: ClosedRange<Int64>?, _ sent: ClosedRange<Int64>?
  ) -> ClosedRange<Int64>? {
    guard let age, let sent else { return nil }
    return sent.lowerBound - age.upperBound...sent.upperBound - age.lowerBound
  }

  /// The bridge and line of a link; nil: no bridge has it.
  package func place(of link: LinkID) -> (bridge: BridgeRun, line: Int)? { owners[link] }

  // MARK: Acks

  /// An event of a bridge's line is durable.
  /// - Returns: who is to hear of it. A batch that waits for it comes before the stream.
  package mutating func acknowledge(_ ack: EventAck, on link: LinkID) -> Destination {
    if let place = owners[link], sealAck(ack, place.bridge, place.line) { return .sealed }
    for index in waiting.indices where waiting[index].link == link {
      guard waiting[index].missing.remove(ack) != nil else { continue }
      waiting[index].got.append(ack)
      guard waiting[index].missing.isEmpty else { return .waits }
      let done = waiting.remove(at: index)
      return .completes(answer(to: done))
    }
    return place(of: link).map { .stream(bridge: $0.bridge, line: $0.line) } ?? .nobody
  }

  private func answer(to batch: Waiting) -> Answer {
    let place = owners[batch.link]
    let line = place.flatMap { bridges[$0.bridge]?.lines[$0.line] }
    let shown = line?.plainlyShown.flatMap { shown in
      place.map { FeedSignal.Shown($0.line, shown) }
    }
    return Answer(id: batch.id, acks: batch.got, shown: shown)
  }

  // MARK: What is to be shown

  /// Sets what devices are to show.
  /// - Parameter links: nil: all lines of bridges.
  /// - Returns: the lines to tell. Those that are told by sealed frames are not among them.
  package mutating func indicate(
    _ indication: Indication, to links: [LinkID]?
  ) -> [(bridge: BridgeRun, line: Int)] {
    // In order: a dictionary has another in each process.
    let all = links ?? owners.keys.sorted { $0.rawValue < $1.rawValue }
    return all.compactMap { owners[$0] }.filter { bridge, line in
      bridges[bridge]?.lines[line]?.shown = indication
      return !sealLight(bridge, line)
    }
  }

  /// What the devices of a bridge are to show, by line.
  package func shown(by bridge: BridgeRun) -> [(line: Int, indication: Indication)] {
    (bridges[bridge]?.lines ?? [:]).sorted { $0.key < $1.key }.compactMap { line, state in
      state.plainlyShown.map { (line, $0) }
    }
  }

  // MARK: What the clock alone brings

  /// Takes the answers to batches that have waited long enough, with the acks that they have got.
  package mutating func takeOverdue(at now: Instant) -> [Answer] {
    let overdue = waiting.filter { $0.deadline <= now }
    waiting.removeAll { $0.deadline <= now }
    return overdue.map { answer(to: $0) }
  }

  /// Forgets bridges that were silent for ten seconds.
  /// - Returns: the inputs for the core, and the bridges that had a device or were told what to
  ///   show. Their streams must end, since a heartbeat would still claim that all is well.
  package mutating func takeSilent(at now: Instant) -> (inputs: [CoreInput], of: [BridgeRun]) {
    var inputs: [CoreInput] = []
    var silent: [BridgeRun] = []
    for (name, bridge) in bridges.sorted(by: { $0.key < $1.key })
    where now - bridge.heardAt >= Self.silentAfter {
      inputs += forget(name, bridge, "nothing heard of its bridge for 10 s")
      if bridge.lines.values.contains(where: { $0.hello != nil || $0.shown != nil }) {
        silent.append(name)
      }
    }
    return (inputs, silent)
  }

  /// The stream of a bridge is open, or has ended: then its next run may come, under another name.
  package mutating func stream(of bridge: BridgeRun, isOpen: Bool) {
    bridges[bridge]?.hasLeft = !isOpen
  }

  /// Forgets a holder's bridges that have left, so that their next runs have room.
  private mutating func forgetLeft(of holder: String) -> [CoreInput] {
    bridges.sorted { $0.key < $1.key }.filter { $0.key.holder == holder && $0.value.hasLeft }
      .flatMap { forget($0.key, $0.value, "its bridge has ended") }
  }

  private mutating func forget(
    _ name: BridgeRun, _ bridge: FeedBridge, _ reason: String
  ) -> [CoreInput] {
    var inputs: [CoreInput] = []
    let lines = bridge.lines.sorted { $0.value.link.rawValue < $1.value.link.rawValue }
    for (number, line) in lines {
      owners[line.link] = nil
      if spares[name.holder] != nil || spares.count < Self.maxHolders {
        spares[name.holder, default: []].append(
          Spare(line: number, link: line.link, reserve: line.reserve))
      }
      var line = line
      if let asking = line.asking { end(asking, isProved: false) }
      if line.seal?.isUnproved == true { inputs.append(.proof(line.link, .over)) }
      inputs += line.down(reason)
    }
    bridges[name] = nil
    return inputs
  }

  /// No later than `nextWake` where a batch of this line has made that earlier. It looks at no
  /// other line: there may be a thousand, each with a batch a second.
  package func nextWake(after batch: CheckedFeed, of holder: String) -> Instant? {
    let bridge = bridges[BridgeRun(holder: holder, name: batch.bridge)]
    let line = bridge?.lines[batch.line]
    let sealed = Instant.earlier(line?.seal?.nextWake, line?.asking?.seal.nextWake)
    let silent = bridge.map { $0.heardAt + Self.silentAfter }
    return [silent, waiting.last?.deadline, sealed].compactMap(\.self).min()
  }

  /// When `takeOverdue` or `takeSilent` is next to be called; nil: nothing is expected.
  package var nextWake: Instant? {
    let silent = bridges.values.map { $0.heardAt + Self.silentAfter }.min()
    let overdue = waiting.map(\.deadline).min()
    return [silent, overdue, nextSealWake].compactMap(\.self).min()
  }
}
