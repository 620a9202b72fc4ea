import AlertCore
import Emulator
import FobBase
import WireProtocol

/// What a scenario waits for: a line of the keychain's or the bridge's stream whose fields have
/// these values.
struct EventPattern {
  /// By name. `event: last` stands for the last press of the scenario.
  let fields: [String: String]

  /// What a pattern may name first.
  static let subjects = ["happening", "alarm", "light", "notice", "keychain"]

  /// A field that no such event has, or a value that it never has: the pattern would match nothing.
  struct Mistake: Error {
    /// The field; nil where the pattern lacks one.
    var field: String?
    var reason: String
  }

  /// - Parameters:
  ///   - fields: as written in a scenario.
  ///   - own: fields of the step, which stand beside those of the event.
  /// - Throws: `Mistake` for a pattern that no event can ever match.
  init(_ fields: [String: String], beside own: [String]) throws(Mistake) {
    let named = Self.subjects.filter { fields[$0] != nil }
    guard let subject = named.first else {
      throw Mistake(reason: "what is waited for names one of \(Self.list(Self.subjects))")
    }
    if let other = named.dropFirst().first {
      // A change of state is an audit event: it has both.
      guard named == ["happening", "alarm"] else {
        throw Mistake(
          field: other, reason: "\(subject) and \(other) are of different events: name one of them")
      }
      guard fields["happening"] == AuditEvent.Name.stateChanged.rawValue else {
        throw Mistake(field: other, reason: "only happening: stateChanged has an alarm")
      }
    }
    let known = Self.values[subject] ?? [:]
    // Sorted, so that the same file is refused for the same reason.
    for (field, value) in fields.sorted(by: { $0.key < $1.key }) {
      guard let values = known[field] else {
        let names = Self.list(own + known.keys.sorted())
        throw Mistake(
          field: field, reason: "'\(field)' is no field of \(subject); it may have \(names)")
      }
      guard !values.takes(value) else { continue }
      throw Mistake(field: field, reason: "\(field) is \(values.words), not '\(value)'")
    }
    self.fields = fields
  }

  /// The account whose log has it; nil: any.
  var account: AccountNumber? {
    fields["account"].flatMap { AccountNumber(argument: $0) }
  }

  func matches(_ event: [String: String], last press: String?) -> Bool {
    fields.allSatisfy { name, wanted in
      guard let actual = event[name] else { return false }
      if name == "notice" { return actual.contains(wanted) }
      return actual == (name == "event" && wanted == "last" ? press ?? "" : wanted)
    }
  }

  fileprivate static func list(_ names: [String]) -> String { names.joined(separator: ", ") }
}

/// The values that a field of an event can have, as the streams write them.
private enum FieldValues {
  case text
  case number
  case eventNumber
  case device
  case account
  case oneOf([String])

  static let flag = oneOf(["false", "true"])

  /// The names of an enumeration of the wire protocol.
  static func names<Number: RawRepresentable>(of type: Number.Type) -> [String]
  where Number.RawValue == UInt8 {
    (UInt8.min...UInt8.max).compactMap { Number(rawValue: $0).map { "\($0)" } }
  }

  func takes(_ value: String) -> Bool {
    switch self {
    case .text: true
    case .number: Int64(value).map { "\($0)" == value } ?? false
    case .eventNumber: value == "last" || EventNumber(text: value)?.text == value
    case .device: DeviceID(text: value)?.text == value
    case .account: AccountNumber(argument: value)?.description == value
    case .oneOf(let names): names.contains(value)
    }
  }

  var words: String {
    switch self {
    case .text: "a text"
    case .number: "a whole number"
    case .eventNumber: "last, or an event's number as 1.2"
    case .device: "a keychain's id, sixteen hexadecimal digits"
    case .account: "an account's number, from 1 on"
    case .oneOf(let names): "one of \(EventPattern.list(names))"
    }
  }
}

extension EventPattern {
  /// By subject and field. A change of the state has two subjects, with the same fields.
  private static let values: [String: [String: FieldValues]] = [
    "happening": auditEvent, "alarm": auditEvent,
    "light": ["light": .oneOf(lights + ["unknown"]), "device": .device, "sounder": .flag],
    "notice": ["notice": .text, "level": .oneOf(["info", "warning", "error"])],
    "keychain": [
      "keychain": .oneOf(keychainEvents), "event": .eventNumber, "number": .number,
      "kind": .oneOf(FieldValues.names(of: EventKind.self)), "shown": .oneOf(lights),
      "detail": .number, "sounder": .flag, "percent": .number, "milliseconds": .number,
      "cause": .oneOf(FieldValues.names(of: ResetCause.self)), "boot": .number, "path": .text,
      "lost": .number, "reason": .text,
    ],
  ]

  private static let auditEvent: [String: FieldValues] = [
    "happening": .oneOf(AuditEvent.Name.allCases.map(\.rawValue)),
    "alarm": .oneOf(EmergencyState.allCases.map(\.rawValue)), "incident": .text,
    "account": .account, "device": .device, "event": .eventNumber, "contact": .text,
    "who": .text, "sink": .text, "nextWall": .number, "detail": .text, "series": .number,
    "key": .text,
  ]

  private static let lights = FieldValues.names(of: ShownState.self)

  /// The LED's own are told only to those who ask for them, and a scenario does not.
  private static let keychainEvents = EmulatorEvent.Name.allCases.filter { $0 != .light }
    .map(\.rawValue)
}
