public import AlertCore
import Foundation
import WireProtocol

/// A signal as an event of the stream.
extension FeedSignal {
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
    case .ack(let line, let ack): ("ack", json(Ack(line: line, ack: ack.data)))
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
      guard let said = read(Ack.self), let ack = EventAck(data: said.ack) else { return nil }
      self = .ack(line: said.line, ack)
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

extension EventAck {
  /// Nil for what is too short to be one.
  init?(data: Data) {
    let bytes = [UInt8](data)
    guard bytes.count >= Self.size, let ack = bytes.withUnsafeBytes({ EventAck($0) }) else {
      return nil
    }
    self = ack
  }
}
