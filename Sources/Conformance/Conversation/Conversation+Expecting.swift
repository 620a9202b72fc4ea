import Capture
package import FobBase
package import WireProtocol

/// What the device must do, and must not.
extension Conversation {
  /// A message, and the frame that it came in.
  package struct Found<P> {
    package let value: P
    package let frame: Heard
  }

  /// By how much the rig's stamps may be late.
  package var slack: Interval { rig.slack }

  package func fail(_ words: String) -> Stop { .failed(words) }

  package func check(_ isRight: Bool, _ words: @autoclosure () -> String) throws {
    guard isRight else { throw Stop.failed(words()) }
  }

  package func check<Value: Equatable>(
    _ found: Value, is wanted: Value, _ what: @autoclosure () -> String
  ) throws {
    guard found == wanted else {
      throw Stop.failed("\(what()) is \(found), not \(wanted)")
    }
  }

  /// The first such message since something was said or done last, waited for.
  /// - Parameters:
  ///   - what: in words, for the step and the failure.
  ///   - after: only frames behind this one.
  package func expect<P: Payload>(
    _ type: P.Type = P.self, _ what: String, within limit: Interval = .milliseconds(100),
    after: Heard? = nil, where fits: (P) -> Bool = { _ in true }
  ) throws -> Found<P> {
    var next = mark
    if let after, let place = heard.lastIndex(of: after) { next = place + 1 }
    var found: Found<P>?
    _ = try wait(until: rig.now + limit + slack) {
      while found == nil, next < heard.count {
        if let value = heard[next].read(P.self), fits(value) {
          found = Found(value: value, frame: heard[next])
        }
        next += 1
      }
      return found != nil
    }
    guard let found else {
      throw Stop.failed("no \(what) within \(limit.text); \(wordsOfHeard)")
    }
    step("found \(what)")
    return found
  }

  /// Lets `interval` pass; nothing like it may have come since something was said or done last.
  package func expectNone<P: Payload>(
    _ type: P.Type = P.self, _ what: String, for interval: Interval = .milliseconds(100),
    where fits: (P) -> Bool = { _ in true }
  ) throws {
    try wait(interval)
    for frame in sinceMark {
      if let value = frame.read(P.self), fits(value) {
        throw Stop.failed("\(what) came, which should not: \(frame.words)")
      }
    }
    step("found no \(what) for \(interval.text)")
  }

  /// Has the device answer TIME_REQ: whatever it had to say to what was said before, it has said.
  /// - Returns: what came since something was said or done last, but for that answer.
  @discardableResult
  package func settle() throws -> [Heard] {
    let token = draw()
    tokens.insert(token)
    try transmit([0] + frame(TimeRequest(hostSend: token, session: session)))
    let isAnswered = try wait(until: rig.now + .milliseconds(500) + slack) {
      sinceMark.contains { $0.read(TimeResponse.self)?.hostSend == token }
    }
    guard isAnswered else {
      throw Stop.failed("TIME_REQ was not answered; \(wordsOfHeard)")
    }
    return sinceMark.filter { frame in
      frame.read(TimeResponse.self).map { !tokens.contains($0.hostSend) } ?? true
    }
  }

  /// Lets as much pass on the device's own clock: that of a machine stands still where its host is
  /// busy.
  package func letDevicePass(_ interval: Interval) throws {
    let began = try deviceClock()
    var left = interval
    for _ in 0..<20 {
      try wait(max(left, .milliseconds(20)))
      left = interval - .microseconds(Int64(clamping: try deviceClock() &- began))
      if left <= .zero { return }
    }
    throw Stop.failed("the device's clock has not gone on by \(interval.text)")
  }

  /// µs, as TIME_RESP says it.
  package func deviceClock() throws -> UInt64 {
    try settle()
    let answers = sinceMark.compactMap { $0.read(TimeResponse.self) }
    return answers.last { tokens.contains($0.hostSend) }?.deviceSend ?? 0
  }

  /// REJECT and nothing else answers it.
  package func expectReject(
    _ type: UInt8, _ reason: Reject.Reason, sequence: UInt16
  ) throws {
    let rejects = try settle().compactMap { $0.read(Reject.self) }
    let wanted = Reject(type: type, reason: reason, sequence: sequence)
    try check(
      rejects == [wanted],
      "wanted one REJECT (\(reason)) of type \(Hex.text([type])), seq \(sequence); "
        + (rejects.isEmpty
          ? "there was none"
          : "there was "
            + rejects.map {
              "\($0.reason) of type \(Hex.text([$0.rejectedType])), seq \($0.rejectedSequence)"
            }.joined(separator: " and ")))
    step("found REJECT (\(reason))")
  }

  package func expectNoReject(_ what: String) throws {
    let rejects = try settle().filter { $0.isA(.reject) }
    try check(rejects.isEmpty, "\(what) was answered by \(rejects.first?.words ?? "REJECT")")
    step("found no REJECT")
  }

  /// A new event of this kind, with the frame that it came in first.
  package func expectEvent(
    _ kind: EventKind, within limit: Interval = .milliseconds(150), after: Heard? = nil,
    where fits: (EventRecord) -> Bool = { _ in true }
  ) throws -> Found<EventRecord> {
    try expect(EventRecord.self, "EVENT \(kind)", within: limit, after: after) {
      $0.identity.kind == kind && fits($0)
    }
  }

  /// Whether the first sending of such an event has come since something was said or done last, or
  /// comes within `limit`.
  package func awaitNewEvent(_ kind: EventKind, within limit: Interval) throws -> Bool {
    try wait(until: rig.now + limit) {
      sinceMark.contains { frame in
        !frame.head.isResent && frame.read(EventRecord.self)?.identity.kind == kind
      }
    }
  }

  /// The next heartbeat that begins after now.
  package func nextHeartbeat() throws -> Found<Heartbeat> {
    beginsNow()
    return try expect(Heartbeat.self, "HEARTBEAT", within: .milliseconds(1_200))
  }

  package func expectShown(
    _ state: ShownState, within limit: Interval = .milliseconds(100), after: Heard? = nil,
    where fits: (LEDState) -> Bool = { _ in true }
  ) throws -> Found<LEDState> {
    try expect(LEDState.self, "LED_STATE \(state)", within: limit, after: after) {
      $0.shown == state && fits($0)
    }
  }

  /// All sendings of an event, in order.
  package func sendings(of number: EventNumber) -> [Heard] {
    heard.filter { $0.read(EventRecord.self)?.identity.number == number }
  }

  package func mark(at index: Int) { setMark(min(index, heard.count)) }

  private var wordsOfHeard: String {
    guard !sinceMark.isEmpty else { return "nothing came" }
    let last = sinceMark.suffix(6).map(\.words)
    let more = sinceMark.count > last.count ? "\(sinceMark.count) frames came, the last " : ""
    return "\(more.isEmpty ? "what came: " : more)\(last.joined(separator: "; "))"
  }
}
