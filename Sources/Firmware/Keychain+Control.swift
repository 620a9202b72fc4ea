public import WireProtocol

/// The way beside the line: what a board's USB part answers on endpoint 0 while a host has the line
/// open. Payloads are those of the wire protocol's messages, without a frame.
extension Keychain {
  /// Writes the payload of `type`, as it would be sent now, to `body`, which is empty.
  /// - Parameter isLinked: the host that has the line open has said HELLO; else no session is told.
  /// - Returns: false for what is not told this way.
  public mutating func tell<B: Board>(
    _ type: MessageType, in body: inout FrameBody, isLinked: Bool, _ board: inout B
  ) -> Bool {
    switch type {
    case .hello: hello(answering: isLinked ? hostSession : 0, board).write(to: &body)
    case .heartbeat: heartbeat(at: board.now()).write(to: &body)
    case .firmwareInfo: Self.writeFirmwareInfo(to: &body)
    default: return false
    }
    return true
  }

  /// Does what LED_SET asks, by the rules of the link. Poll afterwards.
  /// - Parameter payload: of LED_SET.
  /// - Returns: false for a payload that cannot be used, and while something is open.
  public mutating func setLight<B: Board>(
    _ payload: UnsafeRawBufferPointer, _ board: inout B
  ) -> Bool {
    guard payload.count >= LEDSet.size, let pattern = LEDSet(payload) else { return false }
    return show(pattern, at: board.now())
  }
}
