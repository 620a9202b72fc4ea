import Firmware
package import FobBase
package import WireProtocol

/// What the host says and the bench does.
extension Conversation {
  // MARK: Saying

  package func say<P: Payload>(_ payload: P, _ words: String? = nil) throws {
    step("say \(words ?? "\(P.type)")")
    try send(frame(payload))
  }

  /// A body of any bytes, as a whole frame.
  package func say(body: [UInt8], _ words: String) throws {
    step("say \(words)")
    try send(Self.wire(body))
  }

  /// Bytes as they stand.
  package func say(raw bytes: [UInt8], _ words: String) throws {
    step("say \(words)")
    try send(bytes)
  }

  /// HELLO with a new session.
  package func sayHello() throws {
    session = UInt32(truncatingIfNeeded: draw()) | 1
    try say(hello, "HELLO with a new session")
  }

  package var hello: Hello {
    Hello(role: .host, session: session, software: Keychain.software)
  }

  package func ack(_ event: EventRecord) throws {
    try say(EventAck(event.identity), "EVENT_ACK of \(event.identity.number.text)")
  }

  package func indicate(
    _ state: ShownState, detail: UInt8 = 0, revision: UInt32, session: UInt32? = nil,
    sounder: Bool = false, lease: UInt16 = 5_000
  ) throws {
    try say(
      Indicate(
        session: session ?? self.session, incident: 1, revision: revision, state: state,
        detail: detail, sounder: sounder, lease: lease),
      "INDICATE \(state), revision \(revision), lease \(lease) ms")
  }

  /// A frame as a whole, numbered.
  package func frame<P: Payload>(_ payload: P) -> [UInt8] {
    defer { sequence &+= 1 }
    return WireFrame(FrameBody(payload, sequence: sequence)).withBytes { Array($0) }
  }

  /// - Parameters:
  ///   - cut: so many bytes off the payload's end.
  ///   - extra: behind the payload.
  package func body<P: Payload>(
    _ payload: P, head: UInt8 = 0x10, cut: Int = 0, extra: [UInt8] = []
  ) -> [UInt8] {
    defer { sequence &+= 1 }
    var bytes = FrameBody(payload, sequence: sequence).withBytes { Array($0) }
    bytes[0] = head
    return bytes.dropLast(cut) + extra
  }

  /// A body of a type that need not exist.
  package func body(type: UInt8, payload: [UInt8] = []) -> [UInt8] {
    defer { sequence &+= 1 }
    return [0x10, type, UInt8(sequence & 0xFF), UInt8(sequence >> 8)] + payload
  }

  package static func wire(_ body: [UInt8]) -> [UInt8] {
    body.withUnsafeBytes { WireFrame(FrameBody(raw: $0)) }.withBytes { Array($0) }
  }

  // MARK: Doing

  package func perform(_ actuation: Actuation) throws {
    if let obstacle = rig.obstacle(to: actuation.needs) { throw Stop.untested(obstacle) }
    step(actuation.words)
    beginsNow()
    try move(actuation)
  }

  /// Whatever moves the device may take its time: what came meanwhile was said before all that
  /// follows.
  private func move(_ actuation: Actuation) throws {
    try rig.perform(actuation)
    try hear()
  }

  /// What a hand, or a command, takes at most from its word to the contact.
  private static let hand = Interval.seconds(3)

  /// Closes the button, lets `hold` pass, opens it. What comes answers the closing.
  package func press(hold: Interval = .milliseconds(60)) throws {
    try perform(.close)
    let first = mark
    try wait(hold)
    // The press itself is waited for: a slow hand has not closed the contact yet, and a device
    // whose time passes more slowly than ours has not seen it closed for so long.
    _ = try awaitNewEvent(.pressed, within: Self.hand)
    try release()
    mark(at: first)
  }

  /// Opens the button; what comes still answers what was done before.
  package func release() throws {
    step(Actuation.open.words)
    try move(.open)
  }

  /// Reset, and what the device says at once. Nothing is said to it.
  package func reset() throws {
    try perform(.reset)
    try awaitBoot()
  }

  package func cutPower(for pause: Interval = .milliseconds(200)) throws {
    try perform(.powerCut(pause))
    try wait(pause)
    try awaitBoot()
  }

  /// The unasked HELLO of a boot.
  package func awaitBoot() throws {
    let hello = try expect(Hello.self, "the unasked HELLO of a boot", within: .seconds(5)) {
      $0.session == 0
    }
    device = hello.value
  }
}
