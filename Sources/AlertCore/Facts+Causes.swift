import FobBase

/// Why a gesture means what it means, and what contradicts itself, as members of facts.
extension Reason.Cause {
  /// What `cause` names.
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
  /// What `doubt` names.
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
