import FobBase
import WireProtocol

/// What is known of the button in one boot of one keychain: the newest events by number, in any
/// order of arrival, and of each what it meant. Every arrival is judged by all of them, so that a
/// late edge finds its place.
struct PressHistory: Sendable {
  private var events: [HeardEvent] = []
  /// The line went down, or the core was started again, since the last event: what followed an
  /// edge may have gone unheard.
  private(set) var isReachabilityLost = false
  private(set) var heardAt: Timestamp
  /// When something that is open is to be judged again.
  private(set) var due: Timestamp?

  init(at now: Timestamp) { heardAt = now }

  var hasOpen: Bool { events.contains { $0.meaning == .open } }

  mutating func loseReachability() { isReachabilityLost = true }

  // MARK: Events

  /// - Returns: what is given up to make room, or cannot be placed: a press among it is an alarm.
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

  /// What an earlier run left, in any order.
  mutating func restore(_ event: HeardEvent) -> PressDetector.Verdict? {
    defer { isReachabilityLost = true }
    return add(event)
  }

  /// What is open in it, when there is no room for it any more.
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

  /// What has become known by now, oldest gesture first.
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
        // Its press is missing.
        let isDoubtful = event.isRelease && missing > 0
        found.append(Gesture(event, at: index, isDoubtful: isDoubtful))
      }
      last = index
    }
    return found
  }

  // MARK: Age

  /// A clock that puts it into the future proves nothing.
  private func isRecent(_ gesture: Gesture, at now: Timestamp) -> Bool {
    guard let edge = lastEdge(of: gesture) else { return false }
    let (age, overflow) = now.instant.subtractingReportingOverflow(edge.lowerBound)
    return !overflow && age <= PressTimes.oldest.microseconds && edge.upperBound <= now.instant
  }

  /// Its last edge on the host's clock: by its own fit, or by that of another of its edges.
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
