import FobBase
import Foundation

/// Posts, and waits for the answer on the caller's thread: notification channels have their own
/// threads.
///
/// A receiver may hang, drip, lie about its length or send too much: the exchange ends at the
/// deadline or before, as a ``SinkFailure`` with the sink, the host and the reason. The failure
/// contains neither body, path nor answer, since they hold numbers, positions and secrets.
struct HTTPClientShell: Sendable {
  /// From looking up the name to the last byte of the answer.
  var deadline = Interval.seconds(10)

  /// - Parameter url: an ``HTTPAddress`` with a path.
  func post(
    _ url: String, headers: [(String, String)], body: [UInt8], for sink: String
  ) throws(SinkFailure) -> HTTPAnswer {
    var request = HTTPRequest(url)
    request.headers = headers.map { (name: $0.0, value: $0.1) }
    request.body = body
    request.answerWithin = deadline
    let host = Self.host(of: url)
    do throws(HTTPTrouble) {
      let answer = try HTTPTransfer(request).perform()
      return HTTPAnswer(sink: sink, host: host, status: answer.status, body: answer.body)
    } catch .address {
      throw SinkFailure(sink: sink, reason: "its address cannot be used")
    } catch {
      throw SinkFailure(sink: sink, reason: "\(host): \(Self.reason(error, request))")
    }
  }

  private static func host(of url: String) -> String {
    HTTPAddress.bare(URLComponents(string: url)?.host ?? "")
  }

  /// In our own words: a library's may quote sent or received data.
  private static func reason(_ trouble: HTTPTrouble, _ request: HTTPRequest) -> String {
    switch trouble {
    case .answersLate: "it did not answer in time"
    case .connectsLate: "it cannot be reached: no connection in time"
    case .noName: "it cannot be reached: its name is not known"
    case .nobodyListens: "it cannot be reached: nobody listens there"
    case .noTrust: "its certificate is not trusted, or it speaks no TLS"
    case .closes: "it closed the connection in mid-answer"
    case .tooLong: "its answer is longer than \(request.maxAnswerSize) bytes"
    case .noHTTP: "it does not speak HTTP"
    case .address, .cancelled: "it was not asked"
    case .other(let code): "it cannot be reached (error \(code) of libcurl)"
    }
  }
}

/// A receiver's answer.
struct HTTPAnswer: Sendable {
  let sink: String
  let host: String
  let status: Int
  let body: [UInt8]

  /// - Parameter detail: more from the answer, such as the provider's error number.
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

  /// Accepts any 2xx.
  func requireAcceptance() throws(SinkFailure) {
    guard (200..<300).contains(status) else { throw refusal() }
  }

  /// Nil if the body is not JSON of this shape.
  func decoded<Value: Decodable>(_ type: Value.Type) -> Value? {
    try? JSONDecoder().decode(type, from: Data(body))
  }
}

package enum JSONBody {
  /// Keys are sorted, so that a value has one form.
  package static func bytes(_ value: some Encodable) throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return Array(try encoder.encode(value))
  }

  /// The same, of a message.
  static func bytes(_ value: some Encodable, for sink: String) throws(SinkFailure) -> [UInt8] {
    do {
      return try bytes(value)
    } catch {
      throw SinkFailure(sink: sink, reason: "the message has no JSON form")
    }
  }
}
