import AlertCore
import Bridge
import Control
import FobBase
import Foundation
import SerialIO
import Synchronization

/// The bench that a scenario plays on: a keychain and a bridge, asked by their control sockets as
/// any user would.
struct ScenarioBench {
  private let keychain: ControlClient
  private let bridge: ControlClient
  let journal: EventJournal
  private let coreService: CoreService
  /// For what no control socket does: series of check-ins, and the clock.
  var core: AlertBridge { coreService.bridge }

  init(keychain: String, bridge: String, of coreService: CoreService) throws {
    self.coreService = coreService
    self.keychain = try ControlClient(path: keychain)
    self.bridge = try ControlClient(path: bridge)
    journal = try EventJournal()
    try journal.listen(to: keychain)
    try journal.listen(to: bridge)
  }

  func awaitOwner(until termination: borrowing Termination) throws(Failure) {
    try coreService.awaitOwner(until: termination)
  }

  // MARK: Accounts

  /// - Parameter number: of an account that there is; nil: the account that has the keychain.
  func account(_ number: AccountNumber?) -> AlertBridge {
    number.flatMap { core[$0] } ?? coreService.shown
  }

  /// Why nothing can be said of that account; nil: there is one.
  func obstacle(to number: AccountNumber) -> String? {
    guard core[number] == nil else { return nil }
    let numbers = core.accounts.map(\.number.description).joined(separator: ", ")
    return "there is no account \(number) now, only \(numbers)"
  }

  // MARK: Requests and readings

  struct Answer {
    var isOK: Bool
    var error: String
    /// The number that a press got.
    var event: String?
  }

  func ask(_ question: ControlQuestion) throws -> Answer {
    let fields = try answer(question, of: question.account, longest: .seconds(60))
    return Answer(
      isOK: fields["ok"]?.text == "true", error: fields["error"]?.text ?? "the answer says not ok",
      event: fields["event"]?.text)
  }

  /// What a scenario may expect something of, besides the fields of the keychain's state.
  static let readings = [
    "presses", "incidents", "alarm", "contacts", "storage", "light", "inTime", "overdue",
  ]

  /// The keychain has the others, whose ever it is.
  static func isOfAccount(_ reading: String) -> Bool {
    reading != "light" && readings.contains(reading)
  }

  /// - Parameter number: of the account that is meant, unless it is a reading of the keychain's;
  ///   nil: the account that has the keychain.
  /// - Returns: the reading as text; nil where there is none now.
  func reading(_ name: String, of number: AccountNumber?) throws -> String? {
    func status() throws -> JSONField? {
      try answer(ControlQuestion("status"), of: number)["status"]
    }
    switch name {
    case "presses", "incidents": return try rows(name, of: number).map { "\($0.count)" }
    case "alarm": return try status()?["state"]?.text
    case "contacts": return try status()?["contacts"]?.text
    case "inTime", "overdue": return try status()?["checkIns"]?[name]?.text
    case "storage": return try status()?["storageFailure"]?.text ?? "ok"
    case "light": return try state()["shown"]?.text
    default: return try state()[name]?.text
    }
  }

  /// The numbers of the presses that the core has as entries, of whichever account: one that is
  /// heard before its keychain has an owner stays with whoever has heard it.
  func entries() throws -> [String] {
    try core.accounts.flatMap { account in
      try rows("presses", of: account.number)?.compactMap { $0["event"]?.text } ?? []
    }
  }

  private func rows(_ name: String, of number: AccountNumber?) throws -> [JSONField]? {
    guard case .list(let rows)? = try answer(ControlQuestion(name), of: number)["rows"] else {
      return nil
    }
    return rows
  }

  private func state() throws -> JSONField { try answer(ControlQuestion("state")) }

  private func answer(
    _ question: ControlQuestion, of number: AccountNumber? = nil,
    longest: Interval = .seconds(10)
  ) throws -> JSONField {
    let question =
      question.isOfAccount ? try question.of(account: account(number).number) : question
    let client = question.isOfBridge ? bridge : keychain
    let pages = ControlPages(
      client: client, question: question, deadline: BootClock.now() + longest)
    return try JSONDecoder().decode(JSONField.self, from: Data(try pages.answer().utf8))
  }
}

/// Everything that keychain and bridge have told since the scenario began, in the order in which
/// it came, each as its fields by name.
final class EventJournal: Sendable {
  let signal: EventSignal
  private let events = Mutex<[[String: String]]>([])
  private let threads = Mutex<[BlockingThread]>([])

  init() throws(IOFailure) { signal = try EventSignal() }

  var count: Int { events.withLock { $0.count } }

  func events(from index: Int) -> [[String: String]] { events.withLock { Array($0[index...]) } }

  /// Hears the stream of a control socket until its process ends. Returns when nothing more can be
  /// missed.
  func listen(to path: String) throws {
    let begun = try OneShot<(any Error)?>()
    let thread = try BlockingThread(name: "journal") { [self] in
      do {
        let client = try ControlClient(path: path)
        try ControlVerdict.check(try client.request(#"{"do":"subscribe"}"#), of: "subscribe")
        begun.open(with: nil)
        while let line = try client.nextLine(before: .endOfTime) { add(line) }
      } catch {
        begun.open(with: error)
      }
    }
    threads.withLock { $0.append(thread) }
    if let failure = try begun.pass() { throw failure }
  }

  private func add(_ line: String) {
    guard
      let object = try? JSONDecoder().decode([String: JSONField].self, from: Data(line.utf8))
    else { return }
    events.withLock { $0.append(Self.fields(of: object)) }
    signal.signal()
  }

  /// The inner object's fields, and what it is about under the stream's own word for it.
  private static func fields(of object: [String: JSONField]) -> [String: String] {
    guard let type = object["type"]?.text, case .object(let inner)? = object[type] else {
      var fields = object.compactMapValues(\.text)
      fields["keychain"] = fields["name"]
      return fields
    }
    var fields = inner.compactMapValues(\.text)
    fields["type"] = type
    switch type {
    case "happening":
      fields["happening"] = fields["name"]
      fields["alarm"] = inner["facts"]?["to"]?.text
      fields["account"] = object["account"]?.text ?? AccountNumber.first.description
      for name in ["series", "key"] { fields[name] = inner["facts"]?[name]?.text }
    case "led": fields["light"] = fields["shown"]
    case "notice": fields["notice"] = fields["text"]
    default: break
    }
    return fields
  }
}

/// A field of an answer, of whatever type.
enum JSONField: Decodable {
  case scalar(String)
  case object([String: JSONField])
  case list([JSONField])
  case none

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let flag = try? container.decode(Bool.self) {
      self = .scalar("\(flag)")
    } else if let number = try? container.decode(Int64.self) {
      self = .scalar("\(number)")
    } else if let number = try? container.decode(Double.self) {
      self = .scalar("\(number)")
    } else if let text = try? container.decode(String.self) {
      self = .scalar(text)
    } else if let list = try? container.decode([JSONField].self) {
      self = .list(list)
    } else if let object = try? container.decode([String: JSONField].self) {
      self = .object(object)
    } else {
      self = .none
    }
  }

  /// A number, flag or text as text.
  var text: String? { if case .scalar(let text) = self { text } else { nil } }

  /// The rows of an answer that is a list.
  var count: Int? { if case .list(let list) = self { list.count } else { nil } }

  subscript(name: String) -> JSONField? {
    if case .object(let object) = self { object[name] } else { nil }
  }
}
