import FobBase
import WireProtocol

@testable import Conformance

/// LED_SET that is not possible is not answered.
final class SilentAboutLEDSet: WireMutant {
  override func deviceSays(_ body: [UInt8], at now: Instant) -> [[UInt8]] {
    body.read(Reject.self)?.reason == .notNow ? [] : [body]
  }
}

/// What only the device shows is taken for a state of LED_SET.
final class TakesOwnStates: WireMutant {
  override func hostSays(_ body: [UInt8], at now: Instant) -> [[UInt8]] {
    guard body.isA(.ledSet), body.count > 4, body[4] > 10 else { return [body] }
    return [body[..<4] + [10] + body[5...]]
  }
}

/// No lease ends that is 0 when it comes.
final class LeaseForEver: WireMutant {
  override func hostSays(_ body: [UInt8], at now: Instant) -> [[UInt8]] {
    [body.changing(Indicate.self) { if $0.lease == 0 { $0.lease = .max } }]
  }
}

/// A revision is later than one that is half a circle away.
final class WrapsRevisions: WireMutant {
  private var last: UInt32 = 0

  override func hostSays(_ body: [UInt8], at now: Instant) -> [[UInt8]] {
    if body.isA(.hello) { last = 0 }
    return [
      body.changing(Indicate.self) { indicate in
        let isLater = Int32(bitPattern: indicate.revision &- last) > 0
        if isLater, indicate.revision < last { indicate.revision = last }
        last = max(last, indicate.revision)
      }
    ]
  }
}

/// Any number of check-ins is one.
final class LosesDueNumber: WireMutant {
  override func hostSays(_ body: [UInt8], at now: Instant) -> [[UInt8]] {
    [body.changing(Indicate.self) { if $0.state == .due { $0.detail = 1 } }]
  }
}

/// A check-in waits for ever.
final class ClaimsDue: WireMutant {
  override func hostSays(_ body: [UInt8], at now: Instant) -> [[UInt8]] {
    [body.changing(Indicate.self) { if $0.state == .due { $0.lease = .max } }]
  }
}

/// A HELLO of session 0 opens one.
final class TakesSessionZero: WireMutant {
  override func hostSays(_ body: [UInt8], at now: Instant) -> [[UInt8]] {
    [body.changing(Hello.self) { if $0.session == 0 { $0.session = 1 } }]
  }
}

/// Says nothing that is longer than the host says it takes.
final class ObeysMaxFrame: WireMutant {
  private var longest = 255

  override func hostSays(_ body: [UInt8], at now: Instant) -> [[UInt8]] {
    if let hello = body.read(Hello.self) { longest = Int(hello.maxFrame) }
    return [body]
  }

  override func deviceSays(_ body: [UInt8], at now: Instant) -> [[UInt8]] {
    body.count + 6 <= longest ? [body] : []
  }
}

/// INDICATE of another session is ignored, whatever it says.
final class LooksAtSessionFirst: WireMutant {
  private var session: UInt32 = 0

  override func hostSays(_ body: [UInt8], at now: Instant) -> [[UInt8]] {
    if let hello = body.read(Hello.self) { session = hello.session }
    guard body.isA(.indicate), body.count >= 8 else { return [body] }
    let named = body[4..<8].reversed().reduce(0) { $0 << 8 | UInt32($1) }
    return named == session ? [body] : []
  }
}

/// An entry of the trace that seems to lie ahead is waited for.
final class SignedTrace: WireMutant {
  private var asked: [UInt8] = []

  override func hostSays(_ body: [UInt8], at now: Instant) -> [[UInt8]] {
    if body.isA(.trace) { asked = Array(body[4..<8]) }
    return [body]
  }

  override func deviceSays(_ body: [UInt8], at now: Instant) -> [[UInt8]] {
    guard body.isA(.trace), (1..<0x80).contains(asked[3]) else { return [body] }
    return [body[..<4] + asked]
  }
}
