import AlertCore
import FobBase
public import Foundation
import WireProtocol

/// What a core tells a bridge on another host, as an event of its stream.
public enum FeedSignal: Equatable, Sendable {
  /// Each 2 s, with the core's boot clock, µs.
  case heartbeat(clock: Int64)
  /// An event of a line is committed: an EVENT_ACK payload.
  case ack(line: Int, Data)
  /// What a line's device is to show from now on.
  case indicate(Shown)

  public struct Shown: Codable, Equatable, Sendable {
    public var line: Int
    /// 16 hexadecimal digits.
    public var incident: String
    /// As INDICATE numbers them.
    public var state: UInt8
    public var detail: UInt8
    public var sounder: Bool

    init(_ line: Int, _ indication: Indication) {
      self.line = line
      let digits = String(indication.incident, radix: 16)
      incident = String(repeating: "0", count: 16 - digits.count) + digits
      state = indication.state.rawValue
      detail = indication.detail
      sounder = indication.sounder
    }

    /// Nil for a state that this version does not know.
    var indication: Indication? {
      guard let incident = UInt64(incident, radix: 16), let state = ShownState(rawValue: state),
        state.canBeIndicated
      else { return nil }
      return Indication(incident: incident, state: state, detail: detail, sounder: sounder)
    }
  }

  private struct Clock: Codable { let clock: Int64 }

  private struct Ack: Codable {
    let line: Int
    let ack: Data
  }

  /// The event's name and its data, one line of JSON.
  public var event: (name: String, data: String) {
    func json(_ value: some Encodable) -> String {
      // Numbers, base64 and hexadecimal digits always have a JSON form.
      String(decoding: try! JSONEncoder().encode(value), as: UTF8.self)
    }
    return switch self {
    case .heartbeat(let clock): ("heartbeat", json(Clock(clock: clock)))
    case .ack(let line, let ack): ("ack", json(Ack(line: line, ack: ack)))
    case .indicate(let shown): ("indicate", json(shown))
    }
  }

  /// Nil for what this version does not know.
  init?(name: String, data: String) {
    func read<T: Decodable>(_ type: T.Type) -> T? {
      try? JSONDecoder().decode(type, from: Data(data.utf8))
    }
    switch name {
    case "heartbeat":
      guard let clock = read(Clock.self) else { return nil }
      self = .heartbeat(clock: clock.clock)
    case "ack":
      guard let ack = read(Ack.self) else { return nil }
      self = .ack(line: ack.line, ack.ack)
    case "indicate":
      guard let shown = read(Shown.self) else { return nil }
      self = .indicate(shown)
    default: return nil
    }
  }
}

extension Payload {
  /// The payload's bytes alone, as it goes through HTTP.
  var data: Data {
    var body = FrameBody(raw: UnsafeRawBufferPointer(start: nil, count: 0))
    write(to: &body)
    return body.withBytes { Data($0) }
  }
}
