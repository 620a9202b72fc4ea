import Capture
package import FobBase
package import WireProtocol

/// A whole frame of the device.
package struct Heard: Hashable, Sendable {
  /// When its last byte was received.
  package let at: Instant
  /// Head, type, seq and payload, at least 4 bytes; the CRC is checked and gone.
  package let body: [UInt8]

  /// Major version and flags, such as RESENT.
  package var head: FrameHead { FrameHead(rawValue: body[0]) }
  /// May be a type that this version does not know.
  package var rawType: UInt8 { body[1] }
  /// `seq`, which the device raises by one with each frame.
  package var sequence: UInt16 { UInt16(body[2]) | UInt16(body[3]) << 8 }
  /// Everything behind seq; may be empty.
  package var payload: [UInt8] { Array(body[4...]) }

  /// The payload as a `P`; nil where it is of another type, too short, or cannot be read.
  package func read<P: Payload>(_ type: P.Type = P.self) -> P? {
    guard rawType == P.type.rawValue, body.count >= 4 + P.size else { return nil }
    return body.withUnsafeBytes { P(UnsafeRawBufferPointer(rebasing: $0[4...])) }
  }

  /// Looks at the type alone: the payload may still be too short to be read.
  package func isA(_ type: MessageType) -> Bool { rawType == type.rawValue }

  /// As in `EVENT 1.2 pressed`.
  package var words: String {
    let run = WireRun(bytes: [], content: .frame(body: body))
    let description = FrameDescription(run, at: at, direction: .toHost)
    guard case .frame(let frame) = description.content else { return "a damaged run" }
    return frame.summary.isEmpty ? frame.name : "\(frame.name) \(frame.summary)"
  }
}

/// Why a case ended before its last step.
package enum Stop: Error, Hashable, Sendable, CustomStringConvertible {
  /// The device did not do what the protocol demands.
  case failed(String)
  /// This rig cannot find it out.
  case untested(String)
  /// Nothing at all is heard, or nothing that is a frame: no further case is worth a try.
  case silent(String)

  package var description: String {
    switch self {
    case .failed(let text), .untested(let text), .silent(let text): text
    }
  }
}
