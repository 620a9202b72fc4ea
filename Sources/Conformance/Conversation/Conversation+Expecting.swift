import Capture
package import FobBase
package import WireProtocol

/// Expectations: what the device must do, and must not do.
extension Conversation {
  /// A message, and the frame that it came in.
  package struct Found<P> {
    /// The frame's payload, decoded.
    package let value: P
    /// The frame as it came.
    package let frame: Heard
  }

  /// By how much the rig's stamps may be late; limits are extended by it.
  package var slack: Interval { rig.slack }

  /// The error to throw where the device is wrong; `words` say what it did.
  package func fail(_ words: String) -> Stop { .failed(words) }

  /// - Throws: `Stop.failed` with `words` unless `isRight`.
  package func check(_ isRight: Bool, _ words: @autoclosure () -> String) throws {
    guard isRight else { throw Stop.failed(words()) }
  }

  /// - Parameter what: names the value in the failure.
  /// - Throws: `Stop.failed` unless both are equal.
  package func check<Value: Equatable>(
    _ found: Value, is wanted: Value, _ what: @autoclosure () -> String
  ) throws {
    guard found == wanted else {
      throw Stop.failed("\(what()) is \(found), not \(wanted)")
    }
  }

  /// Waits for the first such message since something was said or done last.
  /// - Parameters:
  ///   - what: in words, for the step and the failure.
  ///   - after: only frames behind this one count.
  /// - Throws: `Stop.failed` where none comes within `limit` and the rig's slack.
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
      throw Stop.failed("\(what) did not come within \(limit.text); \(wordsOfHeard)")
    }
    step("found \(what)")
    return found
  }

  /// Lets `interval` pass, and throws if such a message has come since something was said or done
  /// last.
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
    step("\(what) did not come for \(interval.text)")
  }

  /// Has the device answer TIME_REQ. By then it has answered everything that was said before.
  /// - Returns: the frames since something was said or done last, without answers to this.
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

  /// Waits until `interval` has passed on the device's own clock. That of a virtual machine stands
  /// still where its host is busy.
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

  /// The device's clock now, µs, as TIME_RESP says it.
  package func deviceClock() throws -> UInt64 {
    try settle()
    let answers = sinceMark.compactMap { $0.read(TimeResponse.self) }
    return answers.last { tokens.contains($0.hostSend) }?.deviceSend ?? 0
  }

  /// Throws unless exactly this REJECT has come since something was said or done last.
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

  /// Throws if any REJECT has come since something was said or done last.
  /// - Parameter what: names in the failure what was said.
  package func expectNoReject(_ what: String) throws {
    let rejects = try settle().filter { $0.isA(.reject) }
    try check(rejects.isEmpty, "\(what) was answered by \(rejects.first?.words ?? "REJECT")")
    step("found no REJECT")
  }

  /// Waits for an EVENT of this kind since something was said or done last.
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

  /// Waits for a heartbeat that comes after now.
  package func nextHeartbeat() throws -> Found<Heartbeat> {
    beginsNow()
    return try expect(Heartbeat.self, "HEARTBEAT", within: .milliseconds(1_200))
  }

  /// Waits for a LED_STATE of this state since something was said or done last.
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

  /// Moves the mark to an index of ``heard``, to look again at frames from there on.
  package func mark(at index: Int) { setMark(min(index, heard.count)) }

  private var wordsOfHeard: String {
    guard !sinceMark.isEmpty else { return "nothing came" }
    let last = sinceMark.suffix(6).map(\.words)
    let more = sinceMark.count > last.count ? "\(sinceMark.count) frames came, the last " : ""
    return "\(more.isEmpty ? "what came: " : more)\(last.joined(separator: "; "))"
  }
}
