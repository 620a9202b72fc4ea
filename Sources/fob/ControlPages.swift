import Control
import FobBase
import Foundation
import SerialIO

/// An answer of a control socket that comes in pages, put together as if it were one: `rows`, or
/// the keychains and links of `status`.
struct ControlPages {
  private typealias Object = [String: Any]

  let client: ControlClient
  let question: ControlQuestion
  let deadline: Instant

  /// One line of JSON.
  func answer() throws -> String {
    let first = try page(after: nil)
    guard var whole = Self.object(first), var more = Self.more(in: whole) else { return first }
    while true {
      let text = try page(after: more)
      guard let next = Self.object(text), (next["ok"] as? NSNumber)?.boolValue == true else {
        return text
      }
      Self.add(next, to: &whole)
      guard let further = Self.more(in: next), further > more else { break }
      more = further
    }
    whole["more"] = nil
    let data = try JSONSerialization.data(
      withJSONObject: whole, options: [.sortedKeys, .withoutEscapingSlashes])
    return String(decoding: data, as: UTF8.self)
  }

  private func page(after: Int64?) throws -> String {
    var question = question
    if let after { question["after"] = .number(Int(after)) }
    let line = String(decoding: try JSONEncoder().encode(question), as: UTF8.self)
    let left = deadline - BootClock.now() + .milliseconds(500)
    return try client.request(line, timeout: max(left, .milliseconds(1)))
  }

  private static func add(_ page: Object, to whole: inout Object) {
    if let rows = page["rows"] as? [Any] {
      whole["rows"] = (whole["rows"] as? [Any] ?? []) + rows
    }
    guard let status = page["status"] as? Object, var sum = whole["status"] as? Object else {
      return
    }
    for list in ["devices", "links"] {
      sum[list] = (sum[list] as? [Any] ?? []) + (status[list] as? [Any] ?? [])
    }
    whole["status"] = sum
  }

  private static func more(in page: Object) -> Int64? {
    (page["more"] as? NSNumber)?.int64Value
  }

  private static func object(_ line: String) -> Object? {
    (try? JSONSerialization.jsonObject(with: Data(line.utf8))) as? Object
  }
}
