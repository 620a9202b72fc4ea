import WireProtocol

/// Why a run of bytes is no frame.
public enum Damage: Hashable, Sendable {
  case tooShort, tooLong, cut, wrongCRC
  /// The rest of a run after its `tooLong` piece. It is reported, but ``FrameStatistics`` does not
  /// count it again.
  case restOfTooLong
  /// The line or the capture ended before the delimiter came.
  case unfinished

  init(_ refusal: FrameDecoder.Refusal) {
    switch refusal {
    case .tooShort: self = .tooShort
    case .tooLong: self = .tooLong
    case .cut: self = .cut
    case .wrongCRC: self = .wrongCRC
    }
  }

  /// Says in English why the run is no frame, for people and for a packet's comment.
  public var text: String {
    switch self {
    case .tooShort: "too short for a frame"
    case .tooLong: "longer than a frame may be"
    case .cut: "COBS does not come out: bytes are missing or the delimiter came too early"
    case .wrongCRC: "wrong CRC"
    case .restOfTooLong: "the rest of a run longer than a frame may be"
    case .unfinished: "no delimiter came"
    }
  }

  /// True for a wrong CRC; nil for all other damage, whose CRC was never checked.
  public var isCRCWrong: Bool? { self == .wrongCRC ? true : nil }
}
