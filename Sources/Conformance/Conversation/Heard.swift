import Capture
package import FobBase
package import WireProtocol

/// A whole frame of the device.
package struct Heard: Hashable, Sendable {
  /// When its last byte was received.
  package let at: Instant
  package let body: [UInt8]

  package var head: FrameHead { FrameHead(rawValue: body[0]) }
  package var rawType: UInt8 { body[1] }
  package var sequence: UInt16 { UInt16(body[2]) | UInt16(body[3]) << 8 }
  package var payload: [UInt8] { Array(body[4...]) }

  /// The payload as a `P`; nil where it is of another type, too short, or cannot be read.
  package func read<P: Payload>(_ type: P.Type = P.self) -> P? {
    guard rawType == P.type.rawValue, body.count >= 4 + P.size else { return nil }
    return body.withUnsafeBytes { P(UnsafeRawBufferPointer(rebasing: $0[4...])) }
  }

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
  /// It cannot be found out on this rig.
  case untested(String)
  /// Nothing at all is heard, or nothing that is a frame: no further case is worth a try.
  case silent(String)

  package var description: String {
    switch self {
    case .failed(let text), .untested(let text), .silent(let text): text
    }
  }
}
