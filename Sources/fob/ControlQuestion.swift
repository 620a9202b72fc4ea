import ArgumentParser
import Bridge

/// A request to a control socket as a user types it: `press --hold-ms 500` asks
/// `{"do":"press","hold_ms":500}`. Which fields there are, and what they may hold, is known to the
/// process that is asked, and only there.
struct ControlQuestion: Encodable {
  enum Value: Encodable, Equatable {
    case number(Int)
    case decimal(Double)
    case flag(Bool)
    case text(String)

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      switch self {
      case .number(let value): try container.encode(value)
      case .decimal(let value): try container.encode(value)
      case .flag(let value): try container.encode(value)
      case .text(let value): try container.encode(value)
      }
    }
  }

  /// Texts that may look like numbers.
  private static let texts: Set<String> = ["pin", "pin_file", "event", "contact", "source"]

  let request: String
  /// The word behind the request, as in `wait linked`.
  private(set) var object: String?
  private var fields: [String: Value]

  /// - Parameter details: `WORD --name value --flag`; a name's dashes become underscores.
  init(_ request: String, _ details: [String]) throws {
    self.request = request
    fields = ["do": .text(request)]
    var rest = details[...]
    if let first = rest.first, !first.hasPrefix("--") { object = rest.removeFirst() }
    while let option = rest.popFirst() {
      guard option.hasPrefix("--"), option.count > 2 else {
        throw ValidationError("'\(option)' stands alone; write --name value")
      }
      var name = String(option.dropFirst(2))
      var text: String?
      if let equals = name.firstIndex(of: "=") {
        text = String(name[name.index(after: equals)...])
        name = String(name[..<equals])
      } else if let next = rest.first, !next.hasPrefix("--") {
        text = rest.removeFirst()
      }
      let field = String(name.map { $0 == "-" ? "_" : $0 })
      guard fields[field] == nil else { throw ValidationError("--\(name) stands there twice") }
      fields[field] = Self.value(text, of: field)
    }
  }

  /// It goes to the bridge, and not to the keychain.
  var isOfBridge: Bool { BridgeControl.requests.contains(request) }

  subscript(field: String) -> Value? {
    get { fields[field] }
    set { fields[field] = newValue }
  }

  /// That no PIN stands on the command line.
  func requirePINBeside() throws {
    guard let pin = fields["pin"] else { return }
    guard pin == .text("-") else { throw ValidationError(PINOptions.refusal) }
    guard fields["pin_file"] == nil else {
      throw ValidationError("--pin and --pin-file: give one of them")
    }
  }

  /// Puts the PIN in place of where it comes from.
  mutating func readPIN() throws(Failure) {
    if case .text? = fields["pin"] {
      fields["pin"] = .text(try PINOptions.typed().description)
    } else if let file = fields.removeValue(forKey: "pin_file") {
      guard case .text(let path) = file else {
        throw Failure(.usage, "--pin-file needs the name of a file")
      }
      fields["pin"] = .text(try PINOptions.stored(in: path).description)
    }
  }

  func encode(to encoder: any Encoder) throws { try fields.encode(to: encoder) }

  private static func value(_ text: String?, of field: String) -> Value {
    guard let text else { return .flag(true) }
    if texts.contains(field) { return .text(text) }
    if let number = Int(text) { return .number(number) }
    if let decimal = Double(text), decimal.isFinite { return .decimal(decimal) }
    return Bool(text).map { .flag($0) } ?? .text(text)
  }
}
