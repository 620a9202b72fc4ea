public import FobBase
public import WireProtocol

/// One run of a line as a person reads it: when, which way, and every field by its name in
/// `firmware-protocol/messages.json`, or why it is no frame.
public struct FrameDescription: Equatable, Sendable {
  public enum Content: Equatable, Sendable {
    case frame(DescribedFrame)
    case damaged(Damage)
  }

  /// When the run was complete, on the clock of whoever took it down.
  public let at: Instant
  public let direction: Direction
  /// As on the wire, delimiters included.
  public let wire: [UInt8]
  public let content: Content

  public init(_ run: WireRun, at: Instant, direction: Direction) {
    self.at = at
    self.direction = direction
    wire = run.bytes
    switch run.content {
    case .frame(let body): content = .frame(DescribedFrame(body: body, direction: direction))
    case .damaged(let damage): content = .damaged(damage)
    }
  }

  /// The type's name, `0x7f` for one that is not known; nil for what is no frame.
  public var typeName: String? {
    if case .frame(let frame) = content { frame.name } else { nil }
  }

  /// False where the CRC was looked at and is wrong; nil where the run did not get that far.
  public var isCRCRight: Bool? {
    switch content {
    case .frame: true
    case .damaged(let damage): damage.isCRCWrong.map { !$0 }
    }
  }
}

/// A whole frame, field by field.
public struct DescribedFrame: Equatable, Sendable {
  public let head: FrameHead
  public let rawType: UInt8
  public let name: String
  public let sequence: UInt16
  public let fields: [DescribedField]
  /// Payload that no known field takes.
  public let unread: [UInt8]
  /// Why the payload was not read in full, or what is odd about it; nil where all is well.
  public let remark: String?
  /// The few fields that say most, for one line.
  public let summary: String

  /// - Parameter body: at least the four bytes that a frame decoder guarantees.
  init(body: [UInt8], direction: Direction) {
    precondition(body.count >= 4, "a body has head, type and seq")
    head = FrameHead(rawValue: body[0])
    rawType = body[1]
    sequence = UInt16(body[2]) | UInt16(body[3]) << 8
    let layout = MessageLayout.of(rawType)
    name = MessageLayout.name(of: rawType)
    var reading = PayloadReading(Array(body[4...]), head: head, direction: direction)
    reading.read(layout)
    fields = reading.fields
    unread = reading.unread
    remark = reading.remark
    summary = layout.map { $0.summary(of: reading.fields) } ?? ""
  }

  /// Bit 3 of the head, reserved for authentication: never set in version 1.
  public var isAuthenticated: Bool { head.rawValue & 8 != 0 }

  /// The text of a field by its name in messages.json; of a tail's, the first one.
  public func text(of name: String) -> String? { fields.first { $0.name == name }?.text }
}

/// One field of a frame.
public struct DescribedField: Equatable, Sendable {
  public let name: String
  public let kind: FieldKind
  public let value: FieldValue
  /// In human units.
  public let text: String
  /// Of a tail's field, which entry it belongs to, from 0.
  public let entry: Int?
}
