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

/// Reads one payload by its layout. Nothing in it can make it trap: what is missing or too much is
/// said.
struct PayloadReading {
  private(set) var fields: [DescribedField] = []
  private(set) var remark: String?
  private let payload: [UInt8]
  private let head: FrameHead
  private let direction: Direction
  private var at = 0

  init(_ payload: [UInt8], head: FrameHead, direction: Direction) {
    self.payload = payload
    self.head = head
    self.direction = direction
  }

  var unread: [UInt8] { Array(payload[at...]) }
  private var left: Int { payload.count - at }

  mutating func read(_ layout: MessageLayout?) {
    guard let layout else {
      remark = "this type is not known to this version"
      return
    }
    guard head.major == FrameHead.version else {
      readFrozen(of: layout)
      remark = "major version \(head.major) is not known to this version"
      return
    }
    let wanted = layout.size
    // The host asks for the firmware with nothing.
    guard left >= wanted else {
      remark = "refused: \(layout.name) has \(wanted) bytes of payload, here are \(left)"
      readFrozen(of: layout)
      return
    }
    for field in layout.fields { read(field) }
    readRest(of: layout)
    if left > 0, remark == nil {
      remark = "+ \(left) \(left == 1 ? "byte" : "bytes") not known to this version"
    }
    if head.hasReservedBits { add("reserved bits are set in the head") }
  }

  /// An event's first 29 bytes are the same in all versions, and read as soon as they are there.
  private mutating func readFrozen(of layout: MessageLayout) {
    guard layout.type == .event, left >= EventIdentity.size else { return }
    for field in layout.fields where at < EventIdentity.size { read(field) }
  }

  private mutating func readRest(of layout: MessageLayout) {
    switch layout.rest {
    case .nothing: break
    case .ifFlag(let flag, let tail):
      guard value(of: "flags") & flag != 0 else { return }
      let wanted = tail.reduce(0) { $0 + $1.kind.size }
      guard left >= wanted else {
        remark =
          "refused: with MERGED, \(layout.name) has \(layout.size + wanted) bytes of payload,"
          + " here are \(payload.count)"
        return
      }
      for field in tail { read(field, entry: 0) }
    case .entries(let entry):
      guard direction == .toHost else { return }
      let size = entry.reduce(0) { $0 + $1.kind.size }
      for number in 0..<left / size {
        for field in entry { read(field, entry: number) }
      }
    case .texts(let texts): readTexts(texts)
    }
  }

  /// The last text takes what is left; the others end at a zero byte.
  private mutating func readTexts(_ texts: [MessageLayout.Field]) {
    guard left > 0 else { return }
    for (index, field) in texts.enumerated() {
      let end =
        index == texts.count - 1 ? nil : payload[at...].firstIndex(of: 0)
      take(field, payload[at..<(end ?? payload.count)])
      at = end.map { $0 + 1 } ?? payload.count
      if end == nil { return }
    }
  }

  private mutating func read(_ field: MessageLayout.Field, entry: Int? = nil) {
    let size = field.kind.size
    take(field, payload[at..<at + size], entry: entry)
    at += size
  }

  private mutating func take(
    _ field: MessageLayout.Field, _ bytes: ArraySlice<UInt8>, entry: Int? = nil
  ) {
    let value = field.kind.value(bytes)
    let text = field.presentation.text(value, field.kind) { self.value(of: $0) }
    fields.append(
      DescribedField(
        name: field.name, kind: field.kind, value: value, text: text, entry: entry))
  }

  /// Of the field read last under this name, 0 where there is none.
  private func value(of name: String) -> UInt64 {
    fields.last { $0.name == name }?.value.unsigned ?? 0
  }

  private mutating func add(_ words: String) {
    remark = remark.map { "\($0); \(words)" } ?? words
  }
}
