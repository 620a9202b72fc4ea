import Capture
import FobBase
import WireProtocol

/// One run of a line as `fob monitor --json` prints it.
///
/// `kind` is `frame` or `damaged`; `at` is in microseconds, live on CLOCK_BOOTTIME and from a
/// capture since 1970. Fields are under their names in messages.json, each with `raw` (a number;
/// 64-bit ones as `"0x…"`, bytes in hex, as in the vectors) and `text`. With keys, `seal` says of a
/// frame's tag: `right`, `wrong`, `unsealed`, or `unknown` where it cannot be checked.
struct FrameJSON: Encodable {
  let description: FrameDescription
  let device: String
  /// Which keychain is on that line, where it is known and the line is called otherwise.
  var keychain: String?
  /// What its tag says; nil where nobody has asked.
  var seal: SealObserver.Verdict?
  let comment: String?

  private struct Name: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ name: String) { stringValue = name }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  private struct Field: Encodable {
    let field: DescribedField

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Name.self)
      try container.encode(field.text, forKey: Name("text"))
      switch (field.value, field.kind) {
      case (.unsigned(let number), .u64):
        try container.encode("0x" + Hex.text(number, digits: 16), forKey: Name("raw"))
      case (.unsigned(let number), _): try container.encode(number, forKey: Name("raw"))
      case (.signed(let number), _): try container.encode(number, forKey: Name("raw"))
      case (.bytes(let bytes), _): try container.encode(Hex.text(bytes), forKey: Name("raw"))
      }
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Name.self)
    try container.encode(description.at.microseconds, forKey: Name("at"))
    try container.encode(device, forKey: Name("device"))
    try container.encodeIfPresent(keychain, forKey: Name("keychain"))
    try container.encode(description.direction.rawValue, forKey: Name("to"))
    try container.encode(Hex.text(description.wire), forKey: Name("wire"))
    try container.encodeIfPresent(comment, forKey: Name("comment"))
    try container.encodeIfPresent(description.isCRCRight, forKey: Name("crc_ok"))
    switch description.content {
    case .damaged(let damage):
      try container.encode("damaged", forKey: Name("kind"))
      try container.encode(damage.text, forKey: Name("reason"))
    case .frame(let frame):
      try container.encode("frame", forKey: Name("kind"))
      try encode(frame, into: &container)
    }
  }

  private func encode(
    _ frame: DescribedFrame, into container: inout KeyedEncodingContainer<Name>
  ) throws {
    try container.encode(frame.name, forKey: Name("type"))
    try container.encode(frame.sequence, forKey: Name("seq"))
    try container.encode(frame.head.major, forKey: Name("version"))
    try container.encode(frame.head.isResent, forKey: Name("resent"))
    try container.encode(frame.isSealed, forKey: Name("auth"))
    try container.encodeIfPresent(seal?.rawValue, forKey: Name("seal"))
    try container.encodeIfPresent(frame.remark, forKey: Name("remark"))
    let unread = frame.unread.isEmpty ? nil : Hex.text(frame.unread)
    try container.encodeIfPresent(unread, forKey: Name("unread"))
    var fields = container.nestedContainer(keyedBy: Name.self, forKey: Name("fields"))
    for field in frame.fields where field.entry == nil {
      try fields.encode(Field(field: field), forKey: Name(field.name))
    }
    guard let last = frame.fields.compactMap(\.entry).max() else { return }
    var entries = container.nestedUnkeyedContainer(forKey: Name("entries"))
    for number in 0...last {
      var entry = entries.nestedContainer(keyedBy: Name.self)
      for field in frame.fields where field.entry == number {
        try entry.encode(Field(field: field), forKey: Name(field.name))
      }
    }
  }
}
