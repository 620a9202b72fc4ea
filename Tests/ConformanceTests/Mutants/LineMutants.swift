import FobBase
import WireProtocol

@testable import Conformance

/// Keeps what was acked.
final class DeafToAcks: WireMutant {
  override func hostSays(_ body: [UInt8], at now: Instant) -> [[UInt8]] {
    body.isA(.eventAck) ? [] : [body]
  }
}

/// Takes an ack of another identity for the event's own.
final class TrustsAnyAck: WireMutant {
  private var known: [EventNumber: EventIdentity] = [:]

  override func deviceSays(_ body: [UInt8], at now: Instant) -> [[UInt8]] {
    if let event = body.read(EventRecord.self) { known[event.identity.number] = event.identity }
    return [body]
  }

  override func hostSays(_ body: [UInt8], at now: Instant) -> [[UInt8]] {
    [body.changing(EventAck.self) { ack in ack.identityCRC = known[ack.number]?.crc ?? 0 }]
  }
}

/// The clock of an event is that of its sending.
final class RestampsResends: WireMutant {
  override func deviceSays(_ body: [UInt8], at now: Instant) -> [[UInt8]] {
    guard body[0] & 4 != 0 else { return [body] }
    return [body.changing(EventRecord.self) { $0.identity.clock += 1_000 }]
  }
}

/// A resend is not marked.
final class HidesResends: WireMutant {
  override func deviceSays(_ body: [UInt8], at now: Instant) -> [[UInt8]] {
    [[body[0] & ~4] + body[1...]]
  }
}

/// A replay is not marked.
final class HidesReplays: WireMutant {
  override func deviceSays(_ body: [UInt8], at now: Instant) -> [[UInt8]] {
    [body.changing(EventRecord.self) { $0.flags.remove(.replayed) }]
  }
}

/// Holds a new press back while others wait.
final class QueuesNewPresses: WireMutant {
  private var seen: Set<EventNumber> = []

  override func deviceSays(_ body: [UInt8], at now: Instant) -> [[UInt8]] {
    guard let event = body.read(EventRecord.self), event.identity.kind == .pressed else {
      return [body]
    }
    return seen.insert(event.identity.number).inserted && seen.count > 5 ? [] : [body]
  }
}

/// HELLO makes nothing due.
final class SlowAfterHello: WireMutant {
  private var hello: Instant?

  override func deviceSays(_ body: [UInt8], at now: Instant) -> [[UInt8]] {
    if body.isA(.hello) { hello = now }
    let isEarly = hello.map { now - $0 < .milliseconds(90) } ?? false
    return body.isA(.event) && body[0] & 4 != 0 && isEarly ? [] : [body]
  }
}

/// Shows accepted where it ought to be by itself.
final class ClaimsAccepted: WireMutant {
  override func deviceSays(_ body: [UInt8], at now: Instant) -> [[UInt8]] {
    let told = body.changing(LEDState.self) { state in
      if state.source == .own, state.shown == .unclaimed { state.shown = .accepted }
    }
    return [told.changing(Heartbeat.self) { if $0.shown == .unclaimed { $0.shown = .accepted } }]
  }
}

/// A lease lasts a minute, whatever the host says.
final class IgnoresLease: WireMutant {
  override func hostSays(_ body: [UInt8], at now: Instant) -> [[UInt8]] {
    [body.changing(Indicate.self) { if $0.lease > 1 { $0.lease = 60_000 } }]
  }
}

/// Obeys INDICATE of whatever session.
final class ObeysAnySession: WireMutant {
  private var session: UInt32 = 0

  override func hostSays(_ body: [UInt8], at now: Instant) -> [[UInt8]] {
    if let hello = body.read(Hello.self) { session = hello.session }
    return [body.changing(Indicate.self) { $0.session = session }]
  }
}

/// The sounder goes silent with the lease.
final class SilencedByLease: WireMutant {
  override func deviceSays(_ body: [UInt8], at now: Instant) -> [[UInt8]] {
    [body.changing(LEDState.self) { if $0.source == .own { $0.sounder = false } }]
  }
}

/// The light says nothing of a press until the host does.
final class CalmAtPress: WireMutant {
  override func deviceSays(_ body: [UInt8], at now: Instant) -> [[UInt8]] {
    body.read(LEDState.self).map { $0.shown == .sending && $0.source == .own } ?? false
      ? [] : [body]
  }
}

/// Its clock runs backwards between two stamps.
final class BackwardStamps: WireMutant {
  override func deviceSays(_ body: [UInt8], at now: Instant) -> [[UInt8]] {
    [body.changing(TimeResponse.self) { $0.deviceSend = $0.deviceReceive &- 400 }]
  }
}

/// The stamps of TIME_RESP wander by milliseconds.
final class WanderingClock: WireMutant {
  private var count: UInt64 = 0

  override func deviceSays(_ body: [UInt8], at now: Instant) -> [[UInt8]] {
    count += 1
    return [
      body.changing(TimeResponse.self) { response in
        let error = count % 3 * 4_000
        response.deviceReceive &+= error
        response.deviceSend &+= error
      }
    ]
  }
}

/// Answers what the line brings back.
final class AnswersEcho: WireMutant {
  private var waiting: [[UInt8]] = []

  override func hostSays(_ body: [UInt8], at now: Instant) -> [[UInt8]] {
    guard body.isA(.heartbeat) || body.isA(.ledState) else { return [body] }
    waiting.append(body)
    return []
  }

  override func deviceSays(_ body: [UInt8], at now: Instant) -> [[UInt8]] {
    defer { waiting = [] }
    return waiting.map { echo in
      body.with(Reject(type: echo[1], reason: .unknownType, sequence: 0))
    } + [body]
  }
}

/// Has no heartbeat of its own: one in three is missing.
final class SkipsHeartbeats: WireMutant {
  private var count = 0

  override func deviceSays(_ body: [UInt8], at now: Instant) -> [[UInt8]] {
    guard body.isA(.heartbeat) else { return [body] }
    count += 1
    return count % 3 == 0 ? [] : [body]
  }
}

/// A boot says nothing of itself.
final class NoBootHello: WireMutant {
  override func deviceSays(_ body: [UInt8], at now: Instant) -> [[UInt8]] {
    body.read(Hello.self)?.session == 0 ? [] : [body]
  }
}

/// A fix is as good as new for ever.
final class AgelessFix: WireMutant {
  override func deviceSays(_ body: [UInt8], at now: Instant) -> [[UInt8]] {
    [body.changing(EventRecord.self) { if $0.position.isKnown { $0.position.age = 0 } }]
  }
}

/// Says nothing at all.
final class Dumb: WireMutant {
  override func deviceSays(_ body: [UInt8], at now: Instant) -> [[UInt8]] { [] }
}
