/// A whole frame as it was received, its payload still in the decoder's buffer.
struct ReceivedFrame {
  let head: FrameHead
  let rawType: UInt8
  let sequence: UInt16
  let payload: UnsafeRawBufferPointer

  /// - Parameter body: at least four bytes, as the decoder guarantees.
  init(_ body: UnsafeRawBufferPointer) {
    var r = ByteReader(body)
    head = FrameHead(rawValue: r.next())
    rawType = r.next()
    sequence = r.next()
    payload = UnsafeRawBufferPointer(rebasing: body.dropFirst(4))
  }

  func refused(_ reason: Reject.Reason) -> Reject {
    Reject(type: rawType, reason: reason, sequence: sequence)
  }

  /// What makes this a press, though nothing else of the frame may be readable.
  var frozenPress: EventIdentity? {
    guard rawType == MessageType.event.rawValue, payload.count >= EventIdentity.size else {
      return nil
    }
    let identity = EventIdentity(payload)
    return identity.kind == .pressed ? identity : nil
  }

  /// Whether there is a `frozenPress`, without taking it apart.
  var isPress: Bool {
    rawType == MessageType.event.rawValue && payload.count >= EventIdentity.size
      && payload[EventIdentity.kindOffset] == EventKind.pressed.rawValue
  }

  /// The payload read as `P`, or the reason why it cannot be.
  func read<P: Payload>(_ type: P.Type) -> Read<P> {
    guard payload.count >= P.size else { return .refused(refused(.tooShort)) }
    guard let value = P(payload) else { return .refused(refused(.badValue)) }
    return .value(value)
  }

  enum Read<P: Payload> {
    case value(P)
    case refused(Reject)
  }
}
