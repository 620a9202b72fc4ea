import Bridge
import FobBase
import WireProtocol

/// The least that a host may say: HELLO until a device answers, and what time it is. It never
/// acks, never indicates and never rejects, so that a device keeps its events for
/// the host that serves it.
struct PassiveHost {
  private var sequence: UInt16 = 0
  private var session: UInt32
  private var isAnswered = false
  private var nextHello: Instant
  private var nextTime: Instant
  private var timesLeft = 0
  private var lastSent: Instant?

  /// - Parameter session: random and never zero.
  init(session: UInt32, at now: Instant) {
    self.session = session
    nextHello = now
    nextTime = now
  }

  var nextWake: Instant { isAnswered ? nextTime : nextHello }

  /// - Parameters:
  ///   - answered: the session in a HELLO of a device; 0 from one that has just booted.
  mutating func heardHello(answering answered: UInt32, at now: Instant) {
    if answered == session, !isAnswered {
      isAnswered = true
      timesLeft = 8
      nextTime = now
    } else if answered == 0 {
      session = session &+ 1 == 0 ? 1 : session &+ 1
      isAnswered = false
      nextHello = now
    }
  }

  /// A frame that is due; call until nil.
  mutating func nextFrame(at now: Instant) -> WireFrame? {
    if !isAnswered {
      guard now >= nextHello else { return nil }
      nextHello = now + .milliseconds(500)
      return frame(Hello(role: .host, session: session, software: AlertBridge.software), at: now)
    }
    guard now >= nextTime else { return nil }
    timesLeft = max(0, timesLeft - 1)
    nextTime = now + (timesLeft > 0 ? .milliseconds(20) : .seconds(10))
    return frame(
      TimeRequest(hostSend: UInt64(max(0, now.microseconds)), session: session), at: now)
  }

  private mutating func frame(_ payload: some Payload, at now: Instant) -> WireFrame {
    defer {
      sequence &+= 1
      lastSent = now
    }
    let afterSilence = lastSent.map { now - $0 >= .seconds(1) } ?? true
    return WireFrame(FrameBody(payload, sequence: sequence), afterSilence: afterSilence)
  }
}
