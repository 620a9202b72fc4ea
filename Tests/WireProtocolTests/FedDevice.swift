import FobBase
import WireProtocol

/// The device's end of the link, fed by hand.
@dynamicMemberLookup
final class FedDevice {
  private var link = DeviceLink()
  private(set) var requests: [HostRequest] = []

  subscript<T>(dynamicMember member: KeyPath<DeviceLink, T>) -> T { link[keyPath: member] }

  /// What `bytes` ask, in a word or two each.
  @discardableResult
  func receive(_ bytes: [UInt8]) -> [String] {
    var names: [String] = []
    bytes.withUnsafeBytes { raw in
      var rest = raw
      while let request = link.next(&rest, at: .milliseconds(0)) {
        requests.append(request)
        names.append(request.name)
      }
    }
    return names
  }

  func frame<P: Payload>(_ payload: P, at ms: Int64, resent: Bool = false) -> [UInt8] {
    link.frame(payload, at: .milliseconds(ms), resent: resent).bytes
  }

  func frame(_ type: MessageType, _ payload: [UInt8], at ms: Int64) -> [UInt8] {
    link.frame(type, at: .milliseconds(ms)) { body in
      payload.withUnsafeBytes { body.append($0) }
    }.bytes
  }
}

extension HostRequest {
  var name: String {
    switch self {
    case .hello: "hello"
    case .time: "time"
    case .ack: "ack"
    case .indicate: "indicate"
    case .ledSet: "led set"
    case .config: "config"
    case .firmwareInfo: "info"
    case .trace: "trace"
    case .challenge: "challenge"
    case .pair: "pair"
    case .unpair: "unpair"
    case .refused(let reject): "refused: \(reject.reason)"
    case .ignored(let reason): "ignored: \(reason)"
    }
  }
}
