import AlertCore
import FobBase
import Foundation
import WireProtocol

/// A batch that can be handed to a core: nothing in it is out of bounds.
struct CheckedFeed: Sendable {
  enum Input: Sendable {
    case event(EventRecord, age: ClosedRange<Int64>?)
    case barePress(EventIdentity)
    case heartbeat(Heartbeat)
    case position(PositionFix)

    /// What the core acks it by.
    var ack: EventAck? {
      switch self {
      case .event(let record, _): EventAck(record.identity)
      case .barePress(let identity): EventAck(identity)
      case .heartbeat, .position: nil
      }
    }
  }

  let hello: Hello?
  let inputs: [Input]
}

extension FeedBatch {
  /// Of one batch.
  static let mostInputs = 256
  /// In bytes.
  static let longestReason = 400
  /// Ten years, in µs: older than any keychain's events, and far from the end of the numbers.
  static let oldest: Int64 = 315_576_000_000_000

  func checked() throws(FeedRefusal) -> CheckedFeed {
    guard bridge.utf8.count == 16, bridge.utf8.allSatisfy(Self.isHexDigit) else {
      throw .malformed(field: "bridge", must: "16 hexadecimal digits")
    }
    guard (0..<Limits.devices).contains(line) else {
      throw .malformed(field: "line", must: "0 to \(Limits.devices - 1)")
    }
    guard sequence >= 0 else { throw .malformed(field: "sequence", must: "0 or more") }
    if let echo, !(0...Self.oldest).contains(echo.clock) || !(0...Self.oldest).contains(echo.held) {
      throw .malformed(field: "echo", must: "clock and held, each 0 to \(Self.oldest) µs")
    }
    for (field, text) in [("down", down), ("trouble", trouble)] {
      guard (text?.utf8.count ?? 0) <= Self.longestReason else {
        throw .malformed(field: field, must: "\(Self.longestReason) bytes at the most")
      }
    }
    guard inputs.count <= Self.mostInputs else {
      throw .malformed(field: "inputs", must: "\(Self.mostInputs) at the most")
    }
    var hello: Hello?
    if let bytes = self.hello {
      hello = try Self.read(Hello.self, bytes, "hello")
      guard hello?.role == .device else {
        throw .malformed(field: "hello", must: "that of a device")
      }
    }
    var checked: [CheckedFeed.Input] = []
    for input in inputs { checked.append(try input.checked()) }
    return CheckedFeed(hello: hello, inputs: checked)
  }

  private static func isHexDigit(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte)
  }

  static func read<P: Payload>(
    _ type: P.Type, _ data: Data, _ field: String
  ) throws(FeedRefusal) -> P {
    let bytes = [UInt8](data)
    guard (P.size...Limits.longestPayload).contains(bytes.count),
      let payload = bytes.withUnsafeBytes({ P($0) })
    else {
      throw .malformed(
        field: field,
        must: "a payload of \(P.size) to \(Limits.longestPayload) bytes as"
          + " PROTOCOL.md has it")
    }
    return payload
  }
}

extension FeedBatch.Input {
  func checked() throws(FeedRefusal) -> CheckedFeed.Input {
    switch kind {
    case .event:
      return .event(try FeedBatch.read(EventRecord.self, payload, "payload"), age: try range())
    case .barePress:
      let bytes = [UInt8](payload)
      guard (EventIdentity.size...Limits.longestPayload).contains(bytes.count) else {
        throw .malformed(field: "payload", must: "\(EventIdentity.size) bytes or more")
      }
      let identity = bytes.withUnsafeBytes { EventIdentity($0) }
      guard identity.kind == .pressed else {
        throw .malformed(field: "payload", must: "an event of kind pressed")
      }
      return .barePress(identity)
    case .heartbeat: return .heartbeat(try FeedBatch.read(Heartbeat.self, payload, "payload"))
    case .position: return .position(try FeedBatch.read(PositionFix.self, payload, "payload"))
    }
  }

  private func range() throws(FeedRefusal) -> ClosedRange<Int64>? {
    guard let age else { return nil }
    let bounds = -FeedBatch.oldest...FeedBatch.oldest
    guard age.count == 2, bounds.contains(age[0]), bounds.contains(age[1]), age[0] <= age[1] else {
      throw .malformed(field: "age", must: "two numbers of µs, the lesser first")
    }
    return age[0]...age[1]
  }
}
