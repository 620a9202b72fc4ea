import Control
import FobBase
import Foundation
import SerialIO
import Synchronization

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
