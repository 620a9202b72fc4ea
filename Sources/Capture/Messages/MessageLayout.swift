import FobBase
import WireProtocol

/// The fields of one message of `firmware-protocol/messages.json`, and how each is shown.
struct MessageLayout: Sendable {
  struct Field: Sendable {
    let name: String
    let kind: FieldKind
    let presentation: Presentation

    init(_ name: String, _ kind: FieldKind, _ presentation: Presentation = .number) {
      self.name = name
      self.kind = kind
      self.presentation = presentation
    }
  }

  /// The part of a payload behind the fixed fields.
  enum Rest: Sendable {
    case nothing
    /// Present where this bit of the field `flags` is set.
    case ifFlag(UInt64, [Field])
    /// Repeated to the end of the payload, but only in frames to the host.
    case entries([Field])
    /// Bytes to the end, or texts parted by zero bytes.
    case texts([Field])
  }

  /// A field that its frame's one-line summary shows.
  struct Telling: Sendable {
    let name: String
    let label: String
    let isHiddenAtZero: Bool

    init(_ name: String, _ label: String = "", hiddenAtZero: Bool = false) {
      self.name = name
      self.label = label
      isHiddenAtZero = hiddenAtZero
    }
  }

  /// What stands behind the payload of a sealed frame (PROTOCOL.md, 15.4).
  static let seal = [
    Field("seal_clock", .u32), Field("seal_counter", .u32), Field("seal_tag", .u64, .hex),
  ]

  let type: MessageType
  let name: String
  let fields: [Field]
  let rest: Rest
  let telling: [Telling]

  init(
    _ type: MessageType, _ name: String, _ fields: [Field], rest: Rest = .nothing,
    telling: [Telling]
  ) {
    self.type = type
    self.name = name
    self.fields = fields
    self.rest = rest
    self.telling = telling
  }

  var size: Int { fields.reduce(0) { $0 + $1.kind.size } }

  func summary(of fields: [DescribedField]) -> String {
    var parts: [String] = []
    for wanted in telling {
      guard let field = fields.first(where: { $0.name == wanted.name }),
        !(wanted.isHiddenAtZero && field.value.isZero)
      else { continue }
      parts.append(wanted.label.isEmpty ? field.text : "\(wanted.label) \(field.text)")
    }
    let last = fields.last { $0.entry != nil }?.entry
    if case .entries = rest, let last { parts.append("entries \(last + 1)") }
    return parts.joined(separator: ", ")
  }

  static func of(_ rawType: UInt8) -> MessageLayout? {
    table.first { $0.type.rawValue == rawType }
  }

  static func name(of rawType: UInt8) -> String {
    of(rawType)?.name ?? "0x" + Hex.text([rawType])
  }
}

/// The names of messages, as a filter takes them.
public enum MessageNames {
  /// In the order of `messages.json`.
  public static var all: [String] { MessageLayout.table.map(\.name) }

  /// The name of a type; `0x` and two hexadecimal digits for an unknown one.
  public static func name(of rawType: UInt8) -> String { MessageLayout.name(of: rawType) }
}
