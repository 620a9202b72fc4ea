package import Capture
import Emulator
package import FobBase
package import WireProtocol

/// The conversation of one case with the device. It plays the host's end by hand, and keeps
/// everything that was said and heard. Times are on the rig's clock.
package final class Conversation {
  /// The device under test, and the clock of all times here.
  package let rig: any Rig
  /// The source of every choice that a case makes by chance.
  package var random: SplitMix64
  /// Whole frames of the device, in order.
  package private(set) var heard: [Heard] = []
  /// How many runs of the device were no frame.
  package private(set) var damaged = 0
  /// The actions and findings of the case, one line each.
  package private(set) var steps: [String] = []
  /// Everything on the line in both directions, for a capture.
  package private(set) var packets: [CapturedPacket] = []
  /// Decides for each EVENT that comes, resent ones included, whether it is acked at once.
  package var acks: (EventRecord) -> Bool = { _ in true }
  /// Makes the frame of an ack; nil for a plain one.
  var ackFrame: ((EventAck) -> [UInt8])?
  /// The session of the last HELLO of the host; 0 before the first.
  package var session: UInt32 = 0
  /// The device's answer to the HELLO with which the case began, or a later one.
  package var device = Hello(
    role: .device, session: 0, software: SoftwareVersion(major: 0, minor: 0, patch: 0))
  /// The index in `heard` of the first frame since something was said or done last.
  package private(set) var mark = 0
  var sequence: UInt16 = 0
  /// The host_send of each TIME_REQ that ``settle()`` has sent.
  var tokens: Set<UInt64> = []
  private let began: Instant
  private var decoder = FrameDecoder()
  private var cutters: [Direction: FrameSplitter] = [:]
  /// The most packets that are kept for a capture. Later ones are dropped, as the first matter
  /// most.
  private static let maxPackets = 20_000

  /// Sends nothing: ``greet()`` opens the session.
  /// - Parameter seed: of ``random``.
  package init(_ rig: any Rig, seed: UInt64) {
    self.rig = rig
    random = SplitMix64(state: seed)
    began = rig.now
  }

  /// The next 64 random bits.
  package func draw() -> UInt64 { random.next() }

  // MARK: Steps

  /// Adds a line to ``steps``, with the ms since the conversation began.
  package func step(_ words: String) {
    let ms = (rig.now - began).microseconds / 1_000
    steps.append("\(ms) ms: \(words)")
  }

  /// Moves the mark: what comes from now on answers what is said or done next.
  package func beginsNow() { mark = heard.count }

  func setMark(_ index: Int) { mark = index }

  /// The frames that came since something was said or done last.
  package var sinceMark: ArraySlice<Heard> { heard[mark...] }

  // MARK: Time

  /// Lets `interval` pass, and takes all that comes.
  package func wait(_ interval: Interval) throws { try wait(until: rig.now + interval) }

  /// Takes all that comes until `deadline`, on the rig's clock.
  package func wait(until deadline: Instant) throws {
    while let arrival = try rig.receive(until: deadline) { try take(arrival) }
  }

  /// Lets time pass until `isDone` is true; it is asked after each arrival.
  /// - Returns: false at the deadline.
  package func wait(until deadline: Instant, for isDone: () throws -> Bool) throws -> Bool {
    while try !isDone() {
      guard let arrival = try rig.receive(until: deadline) else { return try isDone() }
      try take(arrival)
    }
    return true
  }

  /// Takes what has come, and lets no time pass.
  package func hear() throws { try wait(until: rig.now) }

  // MARK: The line

  /// Sends bytes as they are. What comes from then on answers them.
  package func send(_ bytes: [UInt8]) throws {
    beginsNow()
    try transmit(bytes)
  }

  /// As `send`, but what comes still answers what was said before.
  func transmit(_ bytes: [UInt8]) throws {
    note(bytes, .toDevice, at: rig.now)
    try rig.send(bytes)
  }

  private func take(_ arrival: Arrival) throws {
    note(arrival.bytes, .toHost, at: arrival.at)
    var new: [Heard] = []
    arrival.bytes.withUnsafeBytes { raw in
      var chunk = raw
      while let outcome = decoder.next(&chunk) {
        if outcome == .frame {
          new.append(Heard(at: arrival.at, body: decoder.withBody { Array($0) }))
        } else {
          damaged += 1
        }
      }
    }
    heard += new
    for event in new.compactMap({ $0.read(EventRecord.self) }) where acks(event) {
      let ack = EventAck(event.identity)
      try transmit(ackFrame?(ack) ?? frame(ack))
    }
  }

  private func note(_ bytes: [UInt8], _ direction: Direction, at now: Instant) {
    for run in cutters[direction, default: FrameSplitter()].cut(bytes) {
      add(run, direction, at: now)
    }
  }

  private func add(_ run: WireRun, _ direction: Direction, at now: Instant) {
    guard packets.count < Self.maxPackets else { return }
    var comment: String?
    if case .damaged(let damage) = run.content { comment = damage.text }
    packets.append(
      CapturedPacket(
        device: rig.name, microseconds: now.microseconds + rig.wallOffset, direction: direction,
        bytes: run.bytes, comment: comment))
  }

  /// Completes the capture by the bytes whose delimiter never came.
  package func finish() {
    for direction in [Direction.toDevice, .toHost] {
      if let run = cutters[direction, default: FrameSplitter()].flush() {
        add(run, direction, at: rig.now)
      }
    }
  }
}

/// The beginning of each case: the device answers, shows nothing of a host, and keeps no event.
extension Conversation {
  private static let patience = Interval.seconds(3)
  private static let between = Interval.milliseconds(500)

  /// Opens a session.
  /// - Returns: false where HELLO was not answered.
  func open() throws -> Bool {
    session = UInt32(truncatingIfNeeded: draw()) | 1
    let deadline = rig.now + Self.patience
    var isAnswered = false
    // Closes what another host has left on the line.
    try transmit([0])
    while !isAnswered, rig.now < deadline {
      try transmit(frame(hello))
      isAnswered = try wait(until: min(deadline, rig.now + Self.between)) {
        heard.contains { $0.read(Hello.self).map { $0.session == session } ?? false }
      }
    }
    device = heard.compactMap { $0.read(Hello.self) }.last { $0.session == session } ?? device
    return isAnswered
  }

  /// Whether HELLO has said that the device has a key.
  var isDevicePaired: Bool { device.capabilities & Hello.isPaired != 0 }

  /// Why a case cannot be tried on a device that says so; nil: it can. Cases that judge the absence
  /// itself ask the rig for nothing, and are no such case.
  func lack(for tested: ConformanceCase) -> String? {
    guard !tested.id.hasSuffix("/present-or-not") else { return nil }
    let lacks = { (bit: UInt32) in self.device.capabilities & bit != 0 }
    if lacks(Hello.hasNoBattery), tested.chapter == .battery {
      return "the device says in HELLO that it has no battery"
    }
    if lacks(Hello.hasNoGPS), tested.chapter == .gps {
      return "the device says in HELLO that it has no GPS receiver"
    }
    return nil
  }

  /// Opens a session, ends what is shown for a host, and acks the events left from before.
  /// - Throws: `Stop.silent` where nothing that is a frame is heard at all.
  package func greet() throws {
    guard try open() else { throw silence }
    guard !isDevicePaired else {
      throw Stop.failed("it is paired, and believes its own host alone: unpair it first")
    }
    try endIncident()
    try emptyRing()
    // The LED_STATE at the end of that lease must not count as an answer to what is said next.
    try wait(.milliseconds(20))
    try settle()
    beginsNow()
  }

  private var silence: Stop {
    if !heard.isEmpty {
      return .failed(
        "HELLO was not answered in \(Self.patience.text), though \(heard.count) frames came")
    }
    if damaged > 0 || !packets.allSatisfy({ $0.direction == .toDevice }) {
      return .silent(
        "\(rig.name) sends bytes, but not one whole frame: is the rate right, and is it a keychain?"
      )
    }
    return .silent(
      "\(rig.name) says nothing: no HELLO was answered in \(Self.patience.text), and no HEARTBEAT"
        + " came, which a keychain sends each second; is it switched on, and is this its line?")
  }

  /// A lease of 1 ms leaves the device to itself, with the sounder silent. The debounce time is
  /// reset, too.
  private func endIncident() throws {
    try transmit(
      frame(
        Indicate(
          session: session, incident: 0, revision: 0, state: .unclaimed, sounder: false, lease: 1)))
    try transmit(frame(Config(key: .debounce, value: 20)))
  }

  /// Acks the events left from before, until a heartbeat says that there are none.
  private func emptyRing() throws {
    try settle()
    guard device.oldestUnacked != .none else { return }
    let isEmpty = try wait(until: rig.now + .seconds(8)) {
      heard.last { $0.isA(.heartbeat) }?.read(Heartbeat.self)?.unacked == 0
    }
    guard isEmpty else {
      throw Stop.failed(
        "events are still unacked after 8 s of acks: HEARTBEAT says"
          + " \(heard.last { $0.isA(.heartbeat) }?.read(Heartbeat.self)?.unacked ?? 0)")
    }
  }
}
