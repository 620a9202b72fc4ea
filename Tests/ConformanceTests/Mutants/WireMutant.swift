import FobBase
import WireProtocol

@testable import Conformance

/// Changes whole frames on the line between the production firmware and the host. Damage passes as
/// it is.
class WireMutant: Tampering {
  /// What arrives in place of a body: none, the same, or others.
  func hostSays(_ body: [UInt8], at now: Instant) -> [[UInt8]] { [body] }
  func deviceSays(_ body: [UInt8], at now: Instant) -> [[UInt8]] { [body] }

  func toDevice(_ run: [UInt8], at now: Instant) -> [UInt8] {
    Self.changed(run) { hostSays($0, at: now) }
  }

  func toHost(_ run: [UInt8], at now: Instant) -> [UInt8] {
    Self.changed(run) { deviceSays($0, at: now) }
  }

  private static func changed(_ run: [UInt8], _ change: ([UInt8]) -> [[UInt8]]) -> [UInt8] {
    guard let body = body(of: run) else { return run }
    let bodies = change(body)
    return bodies == [body] ? run : bodies.flatMap { Conversation.wire($0) }
  }

  static func body(of run: [UInt8]) -> [UInt8]? {
    run.withUnsafeBytes { raw in
      var decoder = FrameDecoder()
      var chunk = raw
      guard decoder.next(&chunk) == .frame else { return nil }
      return decoder.withBody { Array($0) }
    }
  }
}

extension [UInt8] {
  func isA(_ type: MessageType) -> Bool { self[1] == type.rawValue }

  func read<P: Payload>(_ type: P.Type = P.self) -> P? {
    Heard(at: Instant(microseconds: 0), body: self).read(P.self)
  }

  /// The same frame with another payload.
  func with<P: Payload>(_ payload: P) -> [UInt8] {
    var body = FrameBody(payload, sequence: 0).withBytes { Array($0) }
    body[0] = self[0]
    body[2] = self[2]
    body[3] = self[3]
    return body
  }

  /// The same with a payload of this type changed; others stay.
  func changing<P: Payload>(_ type: P.Type, _ change: (inout P) -> Void) -> [UInt8] {
    guard var payload = read(P.self) else { return self }
    change(&payload)
    return with(payload)
  }
}
