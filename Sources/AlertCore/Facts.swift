import FobBase
import WireProtocol

/// The details of a log entry beside its name and what it is about, in the form that the database,
/// the API and programs have: one flat JSON object. `type` says which other members are there.
///
/// A message's notification channel and the time of its next attempt are fields of the entry
/// itself.
public struct Facts: Equatable, Sendable {
  /// Nil where the entry's name says it all.
  public let reason: Reason?
  /// How many equal entries this one stands for; 1: itself alone.
  public let alike: UInt32

  /// `alike` is how many entries this one stands for, itself included.
  public init(_ reason: Reason?, alike: UInt32 = 1) {
    self.reason = reason
    self.alike = alike
  }

  /// As in "raise 1, attempt 2: refused; the last of 3 like it".
  public var words: String {
    let words = reason?.words
    guard alike > 1 else { return words ?? "" }
    return (words.map { $0 + "; " } ?? "") + "the last of \(alike) like it"
  }

  /// The values of `type`.
  public enum Kind: String, Codable, Sendable, CaseIterable {
    case event, transition, message, reading, slot, state, trigger, survey, account, battery
    case doubt, lost, remark, failure, checkIn, series, review, exercise
  }

  /// The names of all members in JSON, as they were released.
  package enum Key: String, CodingKey {
    case type, alike
    case eventKind, flags, covered, meaning
    case from, to
    case kind, sequence, attempt, reason
    case cause, clicks, microseconds, ageUnknown, doubt, event, last
    case series, key
    case review, step
    case exercise, end, seconds
    case slot, state, source, fell, outcome, change, contact, device, percent, lines
    case remark
  }

  /// A member's value.
  package enum Value {
    case text(String), number(Int64), truth(Bool)
  }
}

// MARK: Written

extension Facts {
  /// Passes on the members in the order in which they are written. Members that are unknown or say
  /// nothing are left out.
  package func members(_ put: (Key, Value) throws -> Void) rethrows {
    if let reason {
      try put(.type, .text(reason.kind.rawValue))
      try reason.members(put)
    }
    if alike > 1 { try put(.alike, .number(Int64(alike))) }
  }
}

extension Reason {
  fileprivate var kind: Facts.Kind {
    switch self {
    case .event: .event
    case .became: .transition
    case .message: .message
    case .reading: .reading
    case .slot: .slot
    case .state: .state
    case .trigger: .trigger
    case .survey: .survey
    case .account: .account
    case .battery: .battery
    case .doubt: .doubt
    case .lost: .lost
    case .checkIn: .checkIn
    case .series: .series
    case .review: .review
    case .exercise: .exercise
    case .remark: .remark
    case .failure: .failure
    }
  }

  fileprivate func members(_ put: (Facts.Key, Facts.Value) throws -> Void) rethrows {
    switch self {
    case .event(let event):
      try put(.eventKind, .number(Int64(event.rawKind)))
      if event.flags != .none { try put(.flags, .number(Int64(event.flags.rawValue))) }
      if event.covered > 0 { try put(.covered, .number(Int64(event.covered))) }
      try put(.meaning, .text(event.meaning.rawValue))
    case .became(let transition):
      try put(.from, .text(transition.from.rawValue))
      try put(.to, .text(transition.to.rawValue))
    case .message(let message):
      try put(.kind, .text(message.kind.rawValue))
      try put(.sequence, .number(Int64(message.sequence)))
      if let attempt = message.attempt { try put(.attempt, .number(Int64(attempt))) }
      if let error = message.error { try put(.reason, .text(error)) }
    case .reading(let reading):
      try put(.meaning, .text(reading.meaning.rawValue))
      try reading.cause?.members(put)
      if reading.isAgeUnknown { try put(.ageUnknown, .truth(true)) }
    case .slot(let slot, let attempt, let error):
      try put(.slot, .number(Int64(slot)))
      if let attempt { try put(.attempt, .number(Int64(attempt))) }
      if let error { try put(.reason, .text(error)) }
    case .state(let state): try put(.state, .text(state.rawValue))
    case .trigger(let source): try put(.source, .text(source.rawValue))
    case .survey(let survey):
      if let fell = survey.fell { try put(.fell, .truth(fell)) }
      if let outcome = survey.outcome { try put(.outcome, .text(outcome.rawValue)) }
    case .account(let change):
      try put(.change, .text(change.kind.rawValue))
      if let contact = change.contact { try put(.contact, .text(contact)) }
      if let device = change.device { try put(.device, .text(device.text)) }
    case .battery(let percent): try put(.percent, .number(Int64(percent)))
    case .checkIn(let checkIn):
      try put(.series, .number(Int64(checkIn.series)))
      try put(.key, .text(checkIn.key.text))
    case .series(let id, let change):
      try put(.series, .number(Int64(id)))
      try put(.change, .text(change.rawValue))
    case .review(let id, let step):
      try put(.review, .number(Int64(id)))
      if let step { try put(.step, .number(Int64(step))) }
    case .exercise(let exercise, let end, let seconds):
      try put(.exercise, .text(exercise.rawValue))
      if let end { try put(.end, .text(end.rawValue)) }
      if let seconds { try put(.seconds, .number(Int64(seconds))) }
    case .lost(let lines): try put(.lines, .number(Int64(lines)))
    case .remark(let remark): try put(.remark, .text(remark.rawValue))
    case .doubt(let doubt): try doubt.members(put)
    case .failure(let words): try put(.reason, .text(words))
    }
  }
}

extension Facts: Encodable {
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Key.self)
    try members { key, value in
      switch value {
      case .text(let text): try values.encode(text, forKey: key)
      case .number(let number): try values.encode(number, forKey: key)
      case .truth(let truth): try values.encode(truth, forKey: key)
      }
    }
  }
}

// MARK: Read

extension Facts: Decodable {
  /// - Throws: `DecodingError` for JSON that this version does not write as facts.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Key.self)
    let kind = try values.decodeIfPresent(Kind.self, forKey: .type)
    reason = try kind.map { try Reason($0, values) }
    alike = try values.decodeIfPresent(UInt32.self, forKey: .alike) ?? 1
  }
}

extension Reason {
  fileprivate init(_ kind: Facts.Kind, _ values: KeyedDecodingContainer<Facts.Key>) throws {
    switch kind {
    case .event:
      self = .event(
        Event(
          rawKind: try values.decode(UInt8.self, forKey: .eventKind),
          flags: EventRecord.Flags(
            rawValue: try values.decodeIfPresent(UInt8.self, forKey: .flags) ?? 0),
          covered: try values.decodeIfPresent(UInt16.self, forKey: .covered) ?? 0,
          meaning: try values.decode(PressDetector.Meaning.self, forKey: .meaning)))
    case .transition:
      self = .became(
        Transition(
          from: try values.decode(EmergencyState.self, forKey: .from),
          to: try values.decode(EmergencyState.self, forKey: .to)))
    case .message:
      self = .message(
        Message(
          kind: try values.decode(Notification.Kind.self, forKey: .kind),
          sequence: try values.decode(Int.self, forKey: .sequence),
          attempt: try values.decodeIfPresent(Int.self, forKey: .attempt),
          error: try values.decodeIfPresent(String.self, forKey: .reason)))
    case .reading:
      self = .reading(
        Reading(
          meaning: try values.decode(PressDetector.Meaning.self, forKey: .meaning),
          cause: values.contains(.cause) ? try Cause(values) : nil,
          isAgeUnknown: try values.decodeIfPresent(Bool.self, forKey: .ageUnknown) ?? false))
    case .slot:
      self = .slot(
        try values.decode(UInt8.self, forKey: .slot),
        attempt: try values.decodeIfPresent(Int.self, forKey: .attempt),
        error: try values.decodeIfPresent(String.self, forKey: .reason))
    case .state: self = .state(try values.decode(EmergencyState.self, forKey: .state))
    case .trigger: self = .trigger(try values.decode(Trigger.Source.self, forKey: .source))
    case .survey:
      self = .survey(
        Survey(
          fell: try values.decodeIfPresent(Bool.self, forKey: .fell),
          outcome: try values.decodeIfPresent(Survey.Outcome.self, forKey: .outcome)))
    case .account: self = .account(try AccountChange.Summary(values))
    case .battery: self = .battery(percent: try values.decode(UInt8.self, forKey: .percent))
    case .doubt: self = .doubt(try Contradiction(values))
    case .checkIn:
      self = .checkIn(
        CheckIn.ID(
          series: try values.decode(Int.self, forKey: .series),
          key: try values.decode(OccurrenceKey.self, text: .key) { OccurrenceKey(text: $0) }))
    case .series:
      self = .series(
        try values.decode(Int.self, forKey: .series),
        try values.decode(SeriesChange.self, forKey: .change))
    case .review:
      self = .review(
        try values.decode(Int.self, forKey: .review),
        step: try values.decodeIfPresent(Int.self, forKey: .step))
    case .exercise:
      self = .exercise(
        try values.decode(Exercise.self, forKey: .exercise),
        end: try values.decodeIfPresent(ExerciseSession.End.self, forKey: .end),
        seconds: try values.decodeIfPresent(Int.self, forKey: .seconds))
    case .lost: self = .lost(lines: try values.decode(Int.self, forKey: .lines))
    case .remark: self = .remark(try values.decode(Remark.self, forKey: .remark))
    case .failure: self = .failure(try values.decode(String.self, forKey: .reason))
    }
  }
}

extension AccountChange.Summary {
  fileprivate init(_ values: KeyedDecodingContainer<Facts.Key>) throws {
    self.init(
      try values.decode(Kind.self, forKey: .change),
      contact: try values.decodeIfPresent(ContactID.self, forKey: .contact),
      device: values.contains(.device)
        ? try values.decode(DeviceID.self, text: .device) { DeviceID(text: $0) } : nil)
  }
}

/// Causes and contradictions as members of facts.
extension Reason.Cause {
  /// The values of `cause`; those of `Oddity` come beside them.
  public enum Kind: String, Codable, Sendable, CaseIterable {
    case clicks, lateClicks, held, lateRelease
  }

  func members(_ put: (Facts.Key, Facts.Value) throws -> Void) rethrows {
    switch self {
    case .clicks(let count):
      try put(.cause, .text(Kind.clicks.rawValue))
      try put(.clicks, .number(Int64(count)))
    case .lateClicks(let count):
      try put(.cause, .text(Kind.lateClicks.rawValue))
      try put(.clicks, .number(Int64(count)))
    case .held(let time):
      try put(.cause, .text(Kind.held.rawValue))
      try put(.microseconds, .number(time))
    case .lateRelease(let time):
      try put(.cause, .text(Kind.lateRelease.rawValue))
      try put(.microseconds, .number(time))
    case .other(let oddity): try put(.cause, .text(oddity.rawValue))
    }
  }

  init(_ values: KeyedDecodingContainer<Facts.Key>) throws {
    let name = try values.decode(String.self, forKey: .cause)
    switch Kind(rawValue: name) {
    case .clicks: self = .clicks(try values.decode(Int.self, forKey: .clicks))
    case .lateClicks: self = .lateClicks(try values.decode(Int.self, forKey: .clicks))
    case .held: self = .held(try values.decode(Int64.self, forKey: .microseconds))
    case .lateRelease: self = .lateRelease(try values.decode(Int64.self, forKey: .microseconds))
    case nil: self = .other(try values.decode(Reason.Oddity.self, forKey: .cause))
    }
  }
}

extension Reason.Contradiction {
  /// The values of `doubt`.
  public enum Kind: String, Codable, Sendable, CaseIterable {
    case numbersLeap, clockAhead, clockBehind, numberTwice, disorder, stampedAhead
    case stampedLongBefore
  }

  private var named: (kind: Kind, event: EventNumber?, last: EventNumber?) {
    switch self {
    case .numbersLeap(let first, let last): (.numbersLeap, first, last)
    case .clockAhead: (.clockAhead, nil, nil)
    case .clockBehind: (.clockBehind, nil, nil)
    case .numberTwice(let number): (.numberTwice, number, nil)
    case .disorder(let number): (.disorder, number, nil)
    case .stampedAhead(let number): (.stampedAhead, number, nil)
    case .stampedLongBefore(let number): (.stampedLongBefore, number, nil)
    }
  }

  func members(_ put: (Facts.Key, Facts.Value) throws -> Void) rethrows {
    let (kind, event, last) = named
    try put(.doubt, .text(kind.rawValue))
    if let event { try put(.event, .text(event.text)) }
    if let last { try put(.last, .text(last.text)) }
  }

  init(_ values: KeyedDecodingContainer<Facts.Key>) throws {
    func number(_ key: Facts.Key) throws -> EventNumber {
      try values.decode(EventNumber.self, text: key) { EventNumber(text: $0) }
    }
    switch try values.decode(Kind.self, forKey: .doubt) {
    case .numbersLeap: self = .numbersLeap(from: try number(.event), to: try number(.last))
    case .clockAhead: self = .clockAhead
    case .clockBehind: self = .clockBehind
    case .numberTwice: self = .numberTwice(try number(.event))
    case .disorder: self = .disorder(try number(.event))
    case .stampedAhead: self = .stampedAhead(try number(.event))
    case .stampedLongBefore: self = .stampedLongBefore(try number(.event))
    }
  }
}
