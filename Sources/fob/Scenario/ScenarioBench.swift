import Bridge
import Control
import FobBase
import Foundation
import SerialIO

/// The bench that a scenario plays on: a keychain and a bridge, asked by their control sockets as
/// any user would.
struct ScenarioBench {
  private let keychain: ControlClient
  private let bridge: ControlClient
  let journal: EventJournal

  init(keychain: String, bridge: String) throws {
    self.keychain = try ControlClient(path: keychain)
    self.bridge = try ControlClient(path: bridge)
    journal = try EventJournal()
    try journal.listen(to: keychain)
    try journal.listen(to: bridge)
  }

  struct Answer {
    var isOK: Bool
    var error: String
    /// The number that a press got.
    var event: String?
  }

  func ask(_ question: ControlQuestion) throws -> Answer {
    let fields = try answer(question, longest: .seconds(60))
    return Answer(
      isOK: fields["ok"]?.text == "true", error: fields["error"]?.text ?? "the answer says not ok",
      event: fields["event"]?.text)
  }

  /// What a scenario may expect something of, besides the fields of the keychain's state.
  static let readings = ["presses", "incidents", "alarm", "contacts", "storage", "light"]

  /// - Returns: the reading as text; nil where there is none now.
  func reading(_ name: String) throws -> String? {
    switch name {
    case "presses", "incidents": return try rows(name).map { "\($0.count)" }
    case "alarm": return try status()?["state"]?.text
    case "contacts": return try status()?["contacts"]?.text
    case "storage": return try status()?["storageFailure"]?.text ?? "ok"
    case "light": return try state()["shown"]?.text
    default: return try state()[name]?.text
    }
  }

  /// The numbers of the presses that the core has as entries.
  func entries() throws -> [String] { try rows("presses")?.compactMap { $0["event"]?.text } ?? [] }

  private func rows(_ name: String) throws -> [JSONField]? {
    guard case .list(let rows)? = try answer(ControlQuestion(name, []))["rows"] else { return nil }
    return rows
  }

  private func status() throws -> JSONField? { try answer(ControlQuestion("status", []))["status"] }

  private func state() throws -> JSONField { try answer(ControlQuestion("state", [])) }

  private func answer(
    _ question: ControlQuestion, longest: Interval = .seconds(10)
  ) throws -> JSONField {
    let client = question.isOfBridge ? bridge : keychain
    let pages = ControlPages(
      client: client, question: question, deadline: BootClock.now() + longest)
    return try JSONDecoder().decode(JSONField.self, from: Data(try pages.answer().utf8))
  }
}
