import FobBase
import Hummingbird
import SerialIO

/// Logs the page in: exchanges a one-time code for a cookie and a key.
enum SessionOperations {
  static let all = [
    Operation(
      method: .post, path: "/v1/session", scope: nil,
      summary: "Exchanges the one-time code that fob run prints for a cookie and a key",
      form: .json(
        .closed(.needed("code", .text(1...32))), isRequired: true),
      most: ConsoleLimits.anonymousRequestSize,
      success: [
        .json(
          .open(.needed("key", .text)),
          "The cookie is set; each request by it has the key in Fob-Session-Key, too")
      ], problems: [403, 429],
      handler: begin),
    Operation(
      method: .delete, path: "/v1/session", scope: .observe,
      summary: "Logs this browser out", success: [.nothing("The cookie is gone")], handler: end),
  ]

  private struct Code: Decodable { let code: String }

  private struct Opened: Encodable { let key: String }

  private static func begin(_ call: Call) async throws -> Response {
    let now = BootClock.now()
    let tried = try call.decode(Code.self).code
    switch call.api.code?.exchange(tried, from: call.peer, at: now) ?? .wrong {
    case .right: break
    case .wrong:
      throw Problem(
        .forbidden, "wrongCode", "wrong, used or too old; start again for a new code",
        field: "code")
    case .wait(let interval):
      var problem = Problem(.tooManyRequests, "tooManyCodes", "too many wrong codes; wait")
      problem.retryAfterSeconds = interval.roundedUpSeconds
      throw problem
    }
    let secrets = call.api.sessions.begin(at: now)
    var response = Reply.json(Opened(key: secrets.key))
    set(secrets.cookie, seconds: ConsoleLimits.session, call, in: &response)
    return response
  }

  private static func end(_ call: Call) async throws -> Response {
    if case .session(let id) = call.caller?.credential { call.api.sessions.end(id) }
    var response = Reply.empty()
    set("", seconds: 0, call, in: &response)
    return response
  }

  private static func set(
    _ value: String, seconds: Int, _ call: Call, in response: inout Response
  ) {
    let name = Authorizer.cookieName(of: call.request.head)
    response.headers[.setCookie] =
      "\(name)=\(value); HttpOnly; SameSite=Strict; Path=/; Max-Age=\(seconds)"
      + (call.api.isTLS ? "; Secure" : "")
  }
}
