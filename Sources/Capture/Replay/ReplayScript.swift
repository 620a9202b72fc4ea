/// A recorded line as seen from the end that is played: what to send when, and what the other end
/// said to it.
public struct ReplayScript: Sendable {
  struct Step: Sendable {
    let at: Int64
    let run: RecordedLine.Run
    /// How many of `expected` had come before it.
    let after: Int
  }

  /// Which end is played.
  public let end: ReplayEnd
  /// The line that steps and expected meanings were taken from.
  public let line: RecordedLine
  let steps: [Step]
  /// The meanings of the other end in the capture, in order.
  public let expected: [TimedMeaning]
  /// True if the capture began within a session: no HELLO of the host precedes its first INDICATE.
  public let beginsWithinSession: Bool
  /// When each event was sent first, in microseconds, by its number as in `1.2`.
  public let eventTimes: [String: Int64]
  /// The states that the recorded host asked for.
  private let askedStates: Set<Meaning>

  /// - Throws: if nothing in the line is sent by the end that is played, or if nothing that the
  ///   other end says can be compared.
  public init(_ line: RecordedLine, as end: ReplayEnd) throws(RecordedLineError) {
    self.end = end
    self.line = line
    var steps: [Step] = []
    var expected: [TimedMeaning] = []
    var reader = MeaningReader()
    var eventTimes: [String: Int64] = [:]
    var askedStates: Set<Meaning> = []
    var hostReader = MeaningReader()
    let described = line.runs.map { ($0, $0.frame) }
    for case (let run, let frame?) in described
    where run.direction == .toHost && frame.name == "EVENT" {
      if let body = run.body { reader.learn(event: frame, body: body) }
      if let number = frame.text(of: "event_no") {
        eventTimes[number] = eventTimes[number] ?? run.at
      }
    }
    for (run, frame) in described {
      if run.direction == .toDevice, let frame, let body = run.body,
        let asked = hostReader.read(frame, body: body), asked.subject == .shown
      {
        askedStates.insert(asked)
      }
      if run.direction == end.plays {
        steps.append(Step(at: run.at, run: run, after: expected.count))
      } else if let frame, let body = run.body, let meaning = reader.read(frame, body: body),
        Self.isComparable(meaning)
      {
        expected.append(TimedMeaning(at: run.at, meaning))
      }
    }
    guard !steps.isEmpty else { throw RecordedLineError.nothingToPlay(end.plays) }
    guard !expected.isEmpty else { throw RecordedLineError.nothingToCompare(end.hears) }
    self.steps = steps
    self.expected = expected
    self.eventTimes = eventTimes
    self.askedStates = askedStates
    let hostSaid = described.lazy.filter { $0.0.direction == .toDevice }.compactMap { $0.1?.name }
    beginsWithinSession = hostSaid.first { $0 == "HELLO" || $0 == "INDICATE" } != "HELLO"
  }

  /// Whether the `index`th of `meanings` is a state that was shown on the played host's word, and
  /// for less than `ReplayComparison.briefly`. A device that reads two orders at once passes over
  /// it.
  func isBrief(_ meanings: [TimedMeaning], _ index: Int) -> Bool {
    guard end == .host, askedStates.contains(meanings[index].meaning),
      let next = meanings[(index + 1)...].first(where: { $0.meaning.subject == .shown })
    else { return false }
    return next.at - meanings[index].at < ReplayComparison.briefly
  }

  /// Whether a frame that is played was sealed. What sealed it is left out.
  public var isSealed: Bool { steps.contains { $0.run.frame?.isSealed == true } }

  /// How many runs are played, those of noise included.
  public var frames: Int { steps.count }

  /// An ack of an event from before the capture cannot come again, so it is not compared.
  private static func isComparable(_ meaning: Meaning) -> Bool {
    meaning.subject != .acked || !meaning.text.hasSuffix("never sent")
  }
}

/// Which end of a line is played.
public enum ReplayEnd: String, CaseIterable, Sendable {
  case device, host

  var plays: Direction { self == .device ? .toHost : .toDevice }
  var hears: Direction { self == .device ? .toDevice : .toHost }
}
