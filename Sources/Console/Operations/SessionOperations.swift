import FobBase
import Hummingbird
import SerialIO

/// The page's way in: a one-time code for a cookie.
enum SessionOperations {
  static let all = [
    Operation(
      method: .post, path: "/v1/session", scope: nil,
      summary: "Exchanges the one-time code that fob run prints for a cookie",
      form: .json(
        .closed(.needed("code", .text(1...32))), isRequired: true),
      success: [.nothing("The cookie is set")], problems: [403],
      handler: begin),
    Operation(
      method: .delete, path: "/v1/session", scope: .observe,
      summary: "Logs this browser out", success: [.nothing("The cookie is gone")], handler: end),
  ]

  private struct Code: Decodable { let code: String }

  private static func begin(_ call: Call) async throws -> Response {
    let now = BootClock.now()
    guard let code = call.api.code, code.exchange(try call.decode(Code.self).code, at: now) else {
      throw Problem(
        .forbidden, "wrongCode", "wrong, used or too old; start again for a new code",
        field: "code")
    }
    return cookie(
      call.api.sessions.begin(at: now), seconds: ConsoleLimits.session, isTLS: call.api.isTLS)
  }

  private static func end(_ call: Call) async throws -> Response {
    if let session = call.caller?.session { call.api.sessions.end(session) }
    return cookie("", seconds: 0, isTLS: call.api.isTLS)
  }

  private static func cookie(_ value: String, seconds: Int, isTLS: Bool) -> Response {
    var response = Reply.empty()
    response.headers[.setCookie] =
      "fob=\(value); HttpOnly; SameSite=Strict; Path=/; Max-Age=\(seconds)"
      + (isTLS ? "; Secure" : "")
    return response
  }
}
