import HTTPTypes
import Hummingbird

/// The few pages that are made here: no script, nothing from elsewhere.
enum Page {
  static func html(_ title: String, _ body: String) -> Response {
    var response = Reply.text(
      """
      <!doctype html><html lang="en"><meta charset="utf-8">
      <meta name="viewport" content="width=device-width"><title>\(title)</title>
      <style>body{font:1.2em sans-serif;margin:2em}button{font-size:1.5em;padding:1em}</style>
      <h1>\(title)</h1>
      \(body)
      </html>
      """, "text/html; charset=utf-8")
    response.headers[.contentSecurityPolicy] =
      "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'"
    response.headers[.referrerPolicy] = "no-referrer"
    return response
  }
}
