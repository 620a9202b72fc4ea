import FobBase
import WireProtocol

/// The judge as a host with a key: PROTOCOL.md, 15. Of the production ends' code it uses the hash
/// and the layouts of messages alone.
final class SealedHost {
  private let talk: Conversation
  /// 16 bytes.
  private let key: [UInt8]
  /// 32 bytes, of the PROOF that came last; empty before.
  private var sessionKey: [UInt8] = []
  private var counter: UInt32 = 0
  /// The device has said that it has the key, and not yet that it has forgotten it.
  private(set) var isPaired = false
  /// The session of the HELLO that this host said last.
  private(set) var session: UInt32 = 0

  /// - Throws: `Stop.untested` where the device does not say that it knows sealed frames.
  init(_ talk: Conversation) throws {
    guard talk.device.capabilities & Hello.seals != 0 else {
      throw Stop.untested("the device has no SEAL in the capabilities of its HELLO")
    }
    self.talk = talk
    key = (0..<16).map { _ in UInt8.random(in: 0...255, using: &talk.random) }
  }

  // MARK: Pairing

  /// Switches the device off and on while its button is held.
  func bootHeld() throws {
    try talk.perform(.close)
    _ = try talk.expectEvent(.pressed)
    try talk.wait(.milliseconds(200))
    try talk.cutPower()
    try hello()
  }

  /// Says PAIR with this host's key.
  func give() throws -> PairResult {
    let low = key[..<8].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    let high = key[8...].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    try talk.say(Pair(session: session, keyLow: low, keyHigh: high), "PAIR")
    let result = try talk.expect(
      PairResult.self, "PAIR_RESULT", within: .milliseconds(500)
    ) { $0.session == session }.value
    if result.outcome == .paired { isPaired = true }
    return result
  }

  /// Pairs a device that holds its button since power-on, and lets it go.
  func pair() throws {
    try bootHeld()
    let result = try give()
    try talk.check(result.outcome, is: .paired, "the result of PAIR with presence")
    try talk.check(result.tag, is: pairingTag, "the tag of PAIR_RESULT")
    try talk.release()
    _ = try talk.expectEvent(.released)
  }

  /// What PAIR_RESULT has to show.
  var pairingTag: UInt64 {
    Self.tag(key, "fob-pair", Self.bytes(session) + Self.bytes(talk.device.deviceID.rawValue))
  }

  /// Takes the key from the device, whatever has become of the session.
  func unpair() throws {
    try open()
    try say(Unpair(session: session), "UNPAIR, sealed")
    let answer = try talk.expect(
      PairResult.self, "PAIR_RESULT unpaired", within: .milliseconds(500)
    ) { $0.outcome == .unpaired }
    isForgotten()
    try talk.check(seals(answer.frame), "the answer to UNPAIR is not sealed")
  }

  /// The device has lost the key by its button.
  func isForgotten() {
    isPaired = false
    talk.ackFrame = nil
  }

  // MARK: Proof

  /// Says HELLO with a new session.
  @discardableResult
  func hello() throws -> Hello {
    try talk.sayHello()
    session = talk.session
    return try talk.expect(Hello.self, "HELLO") { $0.session == session }.value
  }

  /// Says CHALLENGE, and checks the PROOF. Frames are sealed by its session from then on.
  /// - Parameter nonce: one that was said before asks for the same again.
  @discardableResult
  func prove(_ nonce: UInt64? = nil) throws -> Proof {
    let nonce = nonce ?? talk.draw()
    try talk.say(Challenge(session: session, hostNonce: nonce), "CHALLENGE")
    let proof = try talk.expect(Proof.self, "PROOF") { $0.session == session }.value
    let boot =
      Self.bytes(proof.session) + Self.bytes(proof.bootCounter) + Self.bytes(proof.bootNonce)
      + Self.bytes(proof.number)
    let new = Self.digest(
      key, "fob-sess",
      Self.bytes(nonce) + boot + Self.bytes(talk.device.deviceID.rawValue))
    try talk.check(
      proof.tag, is: Self.tag(new, "fob-prov", boot + Self.bytes(proof.clock)), "the tag of PROOF")
    try talk.check(proof.bootNonce, is: talk.device.bootNonce, "boot_nonce in PROOF")
    try talk.check(proof.bootCounter, is: talk.device.bootCounter, "boot_counter in PROOF")
    sessionKey = new
    counter = 0
    return proof
  }

  /// Opens a sealed session: HELLO, CHALLENGE, PROOF and a first sealed frame, which shows nothing.
  func open() throws {
    try hello()
    try prove()
    try say(TimeRequest(hostSend: talk.draw(), session: session), "TIME_REQ, sealed")
    _ = try talk.expect(LEDState.self, "LED_STATE at the opening of the session")
    talk.ackFrame = { [unowned self] in Conversation.wire(sealed($0)) }
  }

  // MARK: Frames

  /// Sends a sealed message.
  func say<P: Payload>(_ payload: P, _ words: String) throws {
    try talk.say(body: sealed(payload), words)
  }

  /// Sends INDICATE of this host's session, sealed.
  func indicate(_ state: ShownState, revision: UInt32, clock: UInt32? = nil) throws {
    try talk.say(
      body: sealed(indication(state, revision: revision), clock: clock),
      "INDICATE \(state), revision \(revision), sealed")
  }

  func indication(_ state: ShownState, revision: UInt32, lease: UInt16 = 5_000) -> Indicate {
    Indicate(
      session: session, incident: 1, revision: revision, state: state, detail: 0, sounder: false,
      lease: lease)
  }

  /// The body of a sealed frame, with the next counter.
  /// - Parameter clock: nil for the newest that the device has said.
  func sealed<P: Payload>(_ payload: P, clock: UInt32? = nil) -> [UInt8] {
    counter += 1
    let body =
      talk.body(payload, head: 0x18) + Self.bytes(clock ?? deviceClock) + Self.bytes(counter)
    return body + Self.bytes(Self.tag(sessionKey, "fob-host", body[..<2] + body[4...]))
  }

  /// The same with a tag that is wrong by one bit.
  func wronglyTagged<P: Payload>(_ payload: P) -> [UInt8] {
    var body = sealed(payload)
    body[body.count - 1] ^= 0x80
    return body
  }

  /// The newest clock of the device, in units of 1024 µs.
  var deviceClock: UInt32 {
    for frame in talk.heard.reversed() {
      if let proof = frame.read(Proof.self) { return proof.clock }
      if let trailer = frame.trailer { return trailer.clock }
    }
    return 0
  }

  /// Whether the device has sealed this frame in the session, an EVENT by its own key.
  func seals(_ frame: Heard) -> Bool {
    guard let trailer = frame.trailer else { return false }
    let isEvent = frame.isA(.event)
    let tagged = frame.body[..<2] + frame.body[4...].dropLast(8)
    let tag = Self.tag(isEvent ? key : sessionKey, isEvent ? "fob-evnt" : "fob-devi", tagged)
    return tag == trailer.tag && (trailer.counter == 0) == isEvent
  }

  // MARK: The hash

  private static func digest(
    _ key: [UInt8], _ person: String, _ message: some Collection<UInt8>
  ) -> [UInt8] {
    let person = person.utf8.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    var hash = BLAKE2s(key.withUnsafeBytes { SealKey(key: $0, person: person) })
    Array(message).withUnsafeBytes { hash.update($0) }
    let words = hash.finish()
    return words.indices.flatMap { bytes(words[$0]) }
  }

  private static func tag(
    _ key: [UInt8], _ person: String, _ message: some Collection<UInt8>
  ) -> UInt64 {
    digest(key, person, message)[..<8].reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  private static func bytes(_ number: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: number.littleEndian) { Array($0) }
  }
}

extension Heard {
  /// What stands behind the payload of a frame that says that it is sealed.
  var trailer: (clock: UInt32, counter: UInt32, tag: UInt64)? {
    guard head.isSealed, body.count >= 20 else { return nil }
    func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
      bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
    let bytes = body.suffix(16)
    return (
      UInt32(number(bytes.prefix(4))), UInt32(number(bytes.dropFirst(4).prefix(4))),
      number(bytes.suffix(8))
    )
  }
}
