public import FobBase
public import WireProtocol

/// Describes one run of a line for a person: when it came, which way, and every field by its name
/// in `firmware-protocol/messages.json`, or why it is no frame.
public struct FrameDescription: Equatable, Sendable {
  /// The decoded frame, or the damage that keeps the run from being one.
  public enum Content: Equatable, Sendable {
    case frame(DescribedFrame)
    case damaged(Damage)
  }

  /// When the run was complete, on the clock of the process that recorded it.
  public let at: Instant
  /// Which way the bytes went. A TRACE has entries only towards the host.
  public let direction: Direction
  /// The bytes on the wire, delimiters included.
  public let wire: [UInt8]
  /// Every field by name, or the damage.
  public let content: Content

  /// Reads the run's fields by the layout of its type. An unknown type or a short payload gives a
  /// remark, never an error. `at` is when the run was complete.
  public init(_ run: WireRun, at: Instant, direction: Direction) {
    self.at = at
    self.direction = direction
    wire = run.bytes
    switch run.content {
    case .frame(let body): content = .frame(DescribedFrame(body: body, direction: direction))
    case .damaged(let damage): content = .damaged(damage)
    }
  }

  /// The name of the message type, for example `0x7f` for an unknown one; nil for a damaged run.
  public var typeName: String? {
    if case .frame(let frame) = content { frame.name } else { nil }
  }

  /// True for a whole frame, false for a wrong CRC, nil where the CRC was never checked.
  public var isCRCRight: Bool? {
    switch content {
    case .frame: true
    case .damaged(let damage): damage.isCRCWrong.map { !$0 }
    }
  }
}

/// A whole frame, field by field.
public struct DescribedFrame: Equatable, Sendable {
  /// The first byte: the major version in its upper four bits, flags such as RESENT below.
  public let head: FrameHead
  /// The second byte. This version may not know the type.
  public let rawType: UInt8
  /// The type's name in messages.json; `0x` and two hexadecimal digits for an unknown type.
  public let name: String
  /// `seq`: the sender raises it by one with each frame, and it wraps after 65,535.
  public let sequence: UInt16
  /// In the order of the wire. Some or all of a refused payload are missing: see `remark`.
  public let fields: [DescribedField]
  /// The payload bytes that belong to no known field.
  public let unread: [UInt8]
  /// Why the payload was not read in full, or what is odd about it; nil where all is well.
  public let remark: String?
  /// The few fields that say most, for a listing with one line for each frame.
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

  /// The frame says that it is sealed; whether by the right key cannot be told without it.
  public var isSealed: Bool { head.isSealed }

  /// The text of the first field with this name in messages.json; nil where the frame has none.
  public func text(of name: String) -> String? { fields.first { $0.name == name }?.text }
}

/// One field of a frame.
public struct DescribedField: Equatable, Sendable {
  /// As in messages.json. The fields of each entry of a TRACE have the same names.
  public let name: String
  /// How the field lies in the payload.
  public let kind: FieldKind
  /// As read from the wire, before any unit or name is applied.
  public let value: FieldValue
  /// The value for a person, with its unit or its name.
  public let text: String
  /// The entry of a TRACE, or the MERGED part of an event, that the field is in, counted from 0;
  /// nil for all other fields.
  public let entry: Int?
}

/// Reads one payload by its layout. It never traps: missing and surplus bytes become a remark.
struct PayloadReading {
  private(set) var fields: [DescribedField] = []
  private(set) var remark: String?
  let payload: [UInt8]
  /// What seals the frame, behind the payload; empty where nothing does.
  let trailer: [UInt8]
  private let head: FrameHead
  private let direction: Direction
  private var at = 0

  init(_ payload: [UInt8], head: FrameHead, direction: Direction) {
    let isSealed =
      head.isSealed && head.major == FrameHead.version && payload.count >= SealTrailer.size
    self.payload = isSealed ? payload.dropLast(SealTrailer.size) : payload
    trailer = isSealed ? payload.suffix(SealTrailer.size) : []
    self.head = head
    self.direction = direction
  }

  var unread: [UInt8] { Array(payload[at...]) }
  private var left: Int { payload.count - at }

  /// Reads the payload as `layout` says, and what seals it, if anything does.
  mutating func read(_ layout: MessageLayout?) {
    readPayload(layout)
    var at = trailer.startIndex
    for field in trailer.isEmpty ? [] : MessageLayout.seal {
      take(field, trailer[at..<at + field.kind.size])
      at += field.kind.size
    }
  }

  private mutating func readPayload(_ layout: MessageLayout?) {
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
    if head.hasReservedBits || head.isSealed && trailer.isEmpty {
      add("reserved bits are set in the head")
    }
  }

  /// Reads an event's first 29 bytes, which are the same in all versions, if all of them are there.
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

  /// Reads texts: the last takes what is left, the others end at a zero byte. An empty payload has
  /// none: the host asks for the firmware with an empty FW_INFO.
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
    var value = field.kind.value(bytes)
    if case .secret = field.presentation { value = .unsigned(0) }
    let text = field.presentation.text(value, field.kind) { self.value(of: $0) }
    fields.append(
      DescribedField(
        name: field.name, kind: field.kind, value: value, text: text, entry: entry))
  }

  /// The value of the last field read with this name; 0 where there is none.
  private func value(of name: String) -> UInt64 {
    fields.last { $0.name == name }?.value.unsigned ?? 0
  }

  private mutating func add(_ words: String) {
    remark = remark.map { "\($0); \(words)" } ?? words
  }
}
