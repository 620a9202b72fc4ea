import AlertCore
import FobBase
import Foundation
import Yams

/// The step `series`: the API's form, with `due` in place of a day and time.
extension ScenarioReader {
  private static let own = ["due", "pin", "account"]
  private static let form = [
    "description", "rule", "time", "start", "end", "lead", "escalates", "limit", "device",
  ]
  /// They hold text, also where it looks like a number.
  private static let texts = ["description", "time", "start", "end", "device", "kind", "pin"]

  func series(_ node: Node) throws(Failure) -> ScenarioSeries {
    var members: [String: Any] = [:]
    var own: [String: (Node, String)] = [:]
    for (key, value) in try mapping(node, "the members of a series, as description: Are you well?")
    {
      let name = try scalar(key, "a member")
      if Self.own.contains(name) {
        own[name] = (value, try scalar(value, "its value"))
      } else if Self.form.contains(name) {
        members[name] = json(value, of: name)
      } else {
        let known = (Self.form + Self.own).joined(separator: ", ")
        throw wrong(key, "'\(name)' is no member of a series; there are \(known)")
      }
    }
    let dueIn = try own["due"].map { node, text throws(Failure) in
      guard text.hasPrefix("in ") else { throw wrong(node, "due is a time ahead, as in in 2m") }
      return try interval(String(text.dropFirst(3)), node)
    }
    if dueIn != nil, members["rule"] == nil { members["rule"] = ["kind": "once"] }
    return ScenarioSeries(
      draft: try draft(members, node), dueIn: dueIn, pin: own["pin"].map { $0.1 },
      account: try own["account"].map { node, text throws(Failure) in try account(text, node) })
  }

  private func draft(_ members: [String: Any], _ node: Node) throws(Failure) -> CheckInDraft {
    do {
      let data = try JSONSerialization.data(withJSONObject: members)
      return try JSONDecoder().decode(CheckInDraft.self, from: data)
    } catch DecodingError.dataCorrupted(let context) {
      throw wrong(node, context.debugDescription)
    } catch {
      throw wrong(node, "it is no series as the API has it")
    }
  }

  private func json(_ node: Node, of name: String) -> Any {
    switch node {
    case .scalar(let scalar):
      let text = scalar.string
      if Self.texts.contains(name) { return text }
      if let number = Int(text) { return number }
      if text == "null" { return NSNull() }
      return Bool(text) ?? text
    case .sequence(let sequence): return sequence.map { json($0, of: name) }
    case .mapping(let mapping):
      return Dictionary(
        mapping.map { ($0.key.string ?? "", json($0.value, of: $0.key.string ?? "")) }
      ) { $1 }
    case .alias: return NSNull()
    }
  }
}
