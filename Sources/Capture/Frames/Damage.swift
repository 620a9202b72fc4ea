import WireProtocol

/// Why a run of bytes is no frame.
public enum Damage: Hashable, Sendable {
  case tooShort, tooLong, cut, wrongCRC
  /// What followed in the same run as a piece that was `tooLong`: told, and not counted again.
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

  /// Nil where the run did not get as far as its CRC.
  public var isCRCWrong: Bool? { self == .wrongCRC ? true : nil }
}
