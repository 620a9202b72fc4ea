import FobBase
import WireProtocol

/// The button of one keychain in one boot: its newest events by number, in any order of arrival,
/// with their meanings. Each arrival is judged with all of them, so that a late edge finds its
/// place.
struct PressHistory: Sendable {
  private var events: [HeardEvent] = []
  /// The line went down or the core was restarted since the last event, so later edges may have
  /// gone unheard.
  private(set) var isReachabilityLost = false
  private(set) var heardAt: Timestamp
  /// When open events are to be judged again; nil: none waits.
  private(set) var due: Timestamp?

  init(at now: Timestamp) { heardAt = now }

  var hasOpen: Bool { events.contains { $0.meaning == .open } }

  mutating func loseReachability() { isReachabilityLost = true }

  // MARK: Events

  /// Adds a new event.
  /// - Returns: a verdict on an event that is given up for room or cannot be placed: a press is an
  ///   alarm.
  mutating func add(_ event: HeardEvent) -> PressDetector.Verdict? {
    let place = events.firstIndex { $0.number >= event.number } ?? events.count
    if place < events.count, events[place].number == event.number {
      guard events[place].identity != event.identity else { return nil }
      return givenUp(event, .numberReused)
    }
    heardAt = event.receivedAt
    isReachabilityLost = false
    events.insert(event, at: place)
    guard events.count > Limits.pressHistory else { return nil }
    return givenUp(events.removeFirst(), .tooManyEvents)
  }

  /// Adds an event that an earlier run left; they come in any order.
  mutating func restore(_ event: HeardEvent) -> PressDetector.Verdict? {
    defer { isReachabilityLost = true }
    return add(event)
  }

  /// Verdicts on all open events, when there is no room for this history any more.
  func giveUp() -> [PressDetector.Verdict] {
    events.compactMap { givenUp($0, .tooManyKeychains) }
  }

  private func givenUp(_ event: HeardEvent, _ why: Reason.Oddity) -> PressDetector.Verdict? {
    guard event.meaning == .open else { return nil }
    return PressDetector.Verdict(
      meaning: event.isPress ? .alarm : .noted, cause: .other(why), events: [event],
      isAgeUnknown: event.happenedAt == nil)
  }

  // MARK: Meaning

  /// The verdicts that can be given by now, oldest gesture first.
  mutating func judge(_ slots: PanicSlots, at now: Timestamp) -> [PressDetector.Verdict] {
    due = nil
    guard hasOpen else { return [] }
    var verdicts: [PressDetector.Verdict] = []
    for gesture in gestures() {
      switch gesture.judgement(
        slots, isReachabilityLost: isReachabilityLost, at: now,
        isRecent: { isRecent(gesture, at: now) })
      {
      case .waits(let until): due = Timestamp.earlier(due, until)
      case .means(let meaning, let cause):
        if let verdict = settle(gesture, meaning, cause) { verdicts.append(verdict) }
      }
    }
    return verdicts
  }

  private mutating func settle(
    _ gesture: Gesture, _ meaning: PressDetector.Meaning, _ cause: Reason.Cause?
  ) -> PressDetector.Verdict? {
    var settled: [HeardEvent] = []
    for index in gesture.first...gesture.last where events[index].isEdge {
      guard events[index].meaning == .open else { continue }
      settled.append(events[index])
      events[index].meaning = events[index].isPress ? meaning : .noted
    }
    guard !settled.isEmpty else { return nil }
    return PressDetector.Verdict(
      meaning: meaning, cause: cause, events: settled,
      isAgeUnknown: lastEdge(of: gesture) == nil)
  }

  private func gestures() -> [Gesture] {
    var found: [Gesture] = []
    var last: Int?
    for (index, event) in events.enumerated() where event.isEdge {
      let missing =
        last.map { Int(event.number) - Int(events[$0].number) - (index - $0) }
        ?? Int(event.number) - 1 - index
      var joint = last.map { Gesture.joint(events[$0], event, missing: missing) } ?? .apart
      if joint == .joined, found[found.count - 1].isStray { joint = .apart }
      switch joint {
      case .joined: found[found.count - 1].add(event, at: index, after: events[last ?? index])
      case .doubtful:
        found[found.count - 1].isDoubtful = true
        found.append(Gesture(event, at: index, isDoubtful: true))
      case .apart:
        // The press before this release is missing.
        let isDoubtful = event.isRelease && missing > 0
        found.append(Gesture(event, at: index, isDoubtful: isDoubtful))
      }
      last = index
    }
    return found
  }

  // MARK: Age

  /// Whether its last edge is at most 10 s old. An unknown age counts as older, and so does an edge
  /// in the future, whose clock proves nothing.
  private func isRecent(_ gesture: Gesture, at now: Timestamp) -> Bool {
    guard let edge = lastEdge(of: gesture) else { return false }
    let (age, overflow) = now.instant.subtractingReportingOverflow(edge.lowerBound)
    return !overflow && age <= PressTimes.oldest.microseconds && edge.upperBound <= now.instant
  }

  /// When its last edge was on the host's clock, by the fit of that edge or of another of the
  /// gesture; nil where none has one.
  private func lastEdge(of gesture: Gesture) -> ClosedRange<Int64>? {
    let last = events[gesture.last]
    for event in events[gesture.first...gesture.last].reversed() where event.isEdge {
      guard let happened = event.happenedAt, last.clock >= event.clock,
        let since = Int64(exactly: last.clock - event.clock)
      else { continue }
      let (earliest, isBefore) = happened.lowerBound.addingReportingOverflow(since)
      let (latest, isAfter) = happened.upperBound.addingReportingOverflow(since)
      if !isBefore, !isAfter { return earliest...latest }
    }
    return nil
  }
}
