import Firmware
package import FobBase
package import WireProtocol

/// Messages of the host, and actuations of the bench.
extension Conversation {
  // MARK: Saying

  /// Sends a message, with the next number.
  /// - Parameter words: for the step; nil for the name of its type.
  package func say<P: Payload>(_ payload: P, _ words: String? = nil) throws {
    step("say \(words ?? "\(P.type)")")
    try send(frame(payload))
  }

  /// Sends a body of any bytes as a whole frame.
  package func say(body: [UInt8], _ words: String) throws {
    step("say \(words)")
    try send(Self.wire(body))
  }

  /// Sends bytes as they are.
  package func say(raw bytes: [UInt8], _ words: String) throws {
    step("say \(words)")
    try send(bytes)
  }

  /// Sends HELLO with a new session.
  package func sayHello() throws {
    session = UInt32(truncatingIfNeeded: draw()) | 1
    try say(hello, "HELLO with a new session")
  }

  /// The HELLO of the present session, not sent yet.
  package var hello: Hello {
    Hello(role: .host, session: session, software: Keychain.software)
  }

  /// Acks an event, with the CRC of its identity.
  package func ack(_ event: EventRecord) throws {
    try say(EventAck(event.identity), "EVENT_ACK of \(event.identity.number.text)")
  }

  /// Sends INDICATE for incident 1.
  /// - Parameters:
  ///   - session: nil for the present one.
  ///   - lease: in ms.
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

  /// The bytes of a whole frame, with the next number.
  package func frame<P: Payload>(_ payload: P) -> [UInt8] {
    defer { sequence &+= 1 }
    return WireFrame(FrameBody(payload, sequence: sequence)).withBytes { Array($0) }
  }

  /// A body with the next number, to be changed on purpose.
  /// - Parameters:
  ///   - cut: how many bytes the payload lacks at its end.
  ///   - extra: bytes behind the payload.
  package func body<P: Payload>(
    _ payload: P, head: UInt8 = 0x10, cut: Int = 0, extra: [UInt8] = []
  ) -> [UInt8] {
    defer { sequence &+= 1 }
    var bytes = FrameBody(payload, sequence: sequence).withBytes { Array($0) }
    bytes[0] = head
    return bytes.dropLast(cut) + extra
  }

  /// A body with the next number, of a type that need not exist.
  package func body(type: UInt8, payload: [UInt8] = []) -> [UInt8] {
    defer { sequence &+= 1 }
    return [0x10, type, UInt8(sequence & 0xFF), UInt8(sequence >> 8)] + payload
  }

  /// A body as a whole frame: with its CRC, encoded, and closed by a delimiter.
  package static func wire(_ body: [UInt8]) -> [UInt8] {
    body.withUnsafeBytes { WireFrame(FrameBody(raw: $0)) }.withBytes { Array($0) }
  }

  // MARK: Doing

  /// Moves the device. What comes from then on answers it.
  /// - Throws: `Stop.untested` where the rig cannot do it.
  package func perform(_ actuation: Actuation) throws {
    if let obstacle = rig.obstacle(to: actuation.needs) { throw Stop.untested(obstacle) }
    step(actuation.words)
    beginsNow()
    try move(actuation)
  }

  /// Moves the device, and takes the frames that came meanwhile. An actuator may take its time, and
  /// those frames were sent before all that follow.
  private func move(_ actuation: Actuation) throws {
    try rig.perform(actuation)
    try hear()
  }

  /// The longest time that a hand, or a command, takes from its word to the contact.
  private static let hand = Interval.seconds(3)

  /// Closes the button, lets `hold` pass, opens it. Frames from the closing on answer this.
  package func press(hold: Interval = .milliseconds(60)) throws {
    try perform(.close)
    let first = mark
    try wait(hold)
    // Waits for the press itself: a slow hand has not closed the contact yet, and a device whose
    // time passes more slowly than ours has not seen it closed for `hold`.
    _ = try awaitNewEvent(.pressed, within: Self.hand)
    try release()
    mark(at: first)
  }

  /// Opens the button. Frames that come still answer what was done before.
  package func release() throws {
    step(Actuation.open.words)
    try move(.open)
  }

  /// Resets the device, and waits for the HELLO of its boot. No HELLO is sent to it.
  package func reset() throws {
    try perform(.reset)
    try awaitBoot()
  }

  /// Cuts the power for `pause`, and waits for the HELLO of the boot after it.
  package func cutPower(for pause: Interval = .milliseconds(200)) throws {
    try perform(.powerCut(pause))
    try wait(pause)
    try awaitBoot()
  }

  /// Waits up to 5 s for the unasked HELLO of a boot, and keeps it as ``device``.
  package func awaitBoot() throws {
    let hello = try expect(Hello.self, "the unasked HELLO of a boot", within: .seconds(5)) {
      $0.session == 0
    }
    device = hello.value
  }
}
