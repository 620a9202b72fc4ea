import Foundation

/// What a receiver said.
struct HTTPAnswer: Sendable {
  let sink: String
  let host: String
  let status: Int
  let body: [UInt8]

  /// - Parameter detail: more of the answer, such as the provider's number for the error.
  func refusal(_ detail: String = "") -> SinkFailure {
    let way =
      switch status {
      case 300..<400: ", a redirect: configure the address that it leads to"
      case 401, 403: ": check the secret"
      case 404: ": check the address"
      case 429: ": too many messages"
      default: ""
      }
    return SinkFailure(sink: sink, reason: "\(host) answered \(status)\(detail)\(way)")
  }

  /// Any 2xx.
  func requireAcceptance() throws(SinkFailure) {
    guard (200..<300).contains(status) else { throw refusal() }
  }

  /// Nil for what is no JSON of this shape.
  func decoded<Value: Decodable>(_ type: Value.Type) -> Value? {
    try? JSONDecoder().decode(type, from: Data(body))
  }
}
