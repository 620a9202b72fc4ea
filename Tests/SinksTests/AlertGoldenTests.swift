import FobBase
import Testing

import struct Foundation.Data
import class Foundation.JSONDecoder
import class Foundation.JSONEncoder
import class Foundation.ProcessInfo
import struct Foundation.URL

@testable import AlertCore
@testable import Sinks

/// Every message that a contact can get, word for word (R39, R52, R124, G18).
@Suite struct AlertGoldenTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
  private static let golden = folder.appending(path: "Golden")

  /// To accept other words, run this test with ACCEPT_WORDS=1, and read the difference.
  @Test(arguments: ["en", "de", "fr", "es"])
  func `each kind of message of each source reads as it was agreed`(language: String) throws {
    let file = Self.golden.appending(path: "messages.\(language).txt")
    let words = Self.all(in: language).map { "# \($0.name)\n\($0.message.headline) | \($0.text)\n" }
    let text = words.joined(separator: "\n")
    if ProcessInfo.processInfo.environment["ACCEPT_WORDS"] != nil {
      try text.write(to: file, atomically: true, encoding: .utf8)
    }
    #expect(try String(contentsOf: file, encoding: .utf8) == text)
  }

  /// R124: whatever the language, only a press is told as one.
  @Test(arguments: ["en", "de", "fr", "es"])
  func `nobody is told of a press that nobody made`(language: String) {
    let phrases = AlertPhrases.of(language)
    let press = [AlertPhrases.Phrase.pressed, .pressedAgain, .pressedThen, .pressedAt, .heardAt]
    for told in Self.all(in: language) where told.pressed == nil {
      for phrase in press {
        let sentence = phrases[phrase, ["name": "Owner", "their": "their", "time": "@"]]
        let start = sentence.prefix { $0 != "@" }
        #expect(!told.text.contains(start), "\(told.name): \(told.text)")
      }
    }
  }

  @Test func `each language has each phrase`() {
    for (language, phrases) in AlertPhrases.all {
      for phrase in AlertPhrases.Phrase.allCases {
        #expect(!phrases[phrase].isEmpty, "\(language): \(phrase)")
      }
    }
  }

  /// The contact's language, else the account's, else English.
  @Test(arguments: [
    ("de-AT", "en", "ALARM!"), (nil, "fr", "ALERTE !"), ("xx", "fr", "ALERT!"), (nil, "", "ALERT!"),
  ])
  func `a contact is told in their language`(contact: String?, account: String, words: String) {
    var owner = Account.owner
    owner.language = account
    var told = Notification.sample(.raise)
    told.contact.language = contact
    let message = OutgoingMessage(told, account: owner, now: .evening)
    #expect(message.headline == words && message.text.hasPrefix(words))
  }

  @Test func `what a person typed is never read as a part of the sentence`() {
    var account = Account.owner
    account.name = "{time} {their} {"
    let text = AlertText(account: account).text(of: .sample(.raise), now: .evening)
    #expect(text.hasPrefix("ALERT! {time} {their} { has activated their SafeTime keychain alarm"))
  }

  @Test(arguments: ["en", "de", "fr", "es"])
  func `each channel carries the words as they are`(language: String) throws {
    for told in Self.all(in: language) {
      let message = told.message
      let mail = MailMessage(
        from: try #require(MailAddress("alarm@example.org")),
        to: try #require(MailAddress("contact-1@example.org")), subject: message.headline,
        body: message.text, key: message.key, wall: 0)
      let written = String(decoding: mail.bytes, as: UTF8.self)
      let body = written.split(separator: "\n\n", maxSplits: 1)[1].filter { $0 != "\n" }
      #expect(Data(base64Encoded: String(body)) == Data("\(told.text)\n".utf8))
      #expect(SMSSink.body(of: message).text == told.text)
      let ntfy = NtfySink.Publication(message, topic: "topic")
      #expect(ntfy.title == message.headline && ntfy.message == told.text)
      let alert = AlertmanagerSink.Alert(
        message, of: message.incident, AlertIdentities().identity(of: message), now: 0)
      #expect(alert.annotations["summary"] == message.headline)
      #expect(alert.annotations["description"] == told.text)
      let json = try JSONDecoder().decode(
        OutgoingMessage.self, from: JSONEncoder().encode(message))
      #expect(json.text == told.text)
    }
  }

  private struct Told {
    let name: String
    let message: OutgoingMessage
    let pressed: Timestamp?
    var text: String { message.text }
  }

  private static func all(in language: String) -> [Told] {
    var told: [Told] = []
    let sources: [(String, Trigger.Source?, UnansweredCheckIn?)] = [
      ("press", nil, nil), ("fall", .fall, nil), ("check-in", .checkIn, nil),
      ("check-in of this core", .checkIn, .wellness),
    ]
    for (source, trigger, question) in sources {
      for isPressed in trigger == nil ? [true] : [false, true] {
        let name = trigger != nil && isPressed ? "\(source), then a press" : source
        for kind in Notification.Kind.allCases where kind != .closing && kind != .message {
          // Nobody is told of a further press where none was made.
          if kind == .update, !isPressed { continue }
          told += [Notification.Context?.none, .twoOutOfReach, .fleet].compactMap { context in
            guard context == nil || isPressed else { return nil }
            var notification = Notification.sample(
              kind, at: context == .twoOutOfReach ? nil : .observatory,
              sequence: kind == .raise ? 1 : 2, trigger: trigger, question: question,
              isPressed: isPressed)
            notification.context = context ?? Notification.Context()
            let which =
              switch context {
              case nil: ""
              case .some(let context): context.fleetPresses == nil ? ", out of reach" : ", fleet"
              }
            return Self.told("\(kind.rawValue): \(name)\(which)", notification, language)
          }
        }
      }
    }
    var known = Notification.sample(.again, at: nil, sequence: 3)
    known.context.isAcknowledged = true
    told.append(Self.told("again: press, acknowledged", known, language))
    for kind in [Notification.Kind.raise, .update, .again] {
      var doubtful = Notification.sample(kind, sequence: kind == .raise ? 1 : 2)
      doubtful.context.isUnproved = true
      doubtful.context.unprovedPresses = kind == .raise ? nil : 12
      told.append(Self.told("\(kind.rawValue): press, not proved", doubtful, language))
    }
    for count in [1, 12] {
      var mixed = Notification.sample(.update, sequence: 2)
      mixed.context.unprovedPresses = count
      told.append(Self.told("update: \(count) not proved", mixed, language))
    }
    told.append(
      Self.told(
        "raise: fall, no position", .sample(.raise, at: nil, trigger: .fall), language))
    var hidden = Account.owner
    hidden.mayLocate = false
    told.append(
      Self.told("raise: press, position not allowed", .sample(.raise, at: nil), language, hidden))
    for reason in EndReason.allCases {
      told.append(
        Self.told("closing: \(reason.rawValue)", .sample(.closing, ended: reason), language))
    }
    for count in [1, 12] {
      let moved = Notification.sample(.again, sequence: 3, handovers: count)
      told.append(Self.told("again: \(count) handed over", moved, language))
      let ended = Notification.sample(.closing, ended: .disarmed, handovers: count)
      told.append(Self.told("closing: disarmed, \(count) handed over", ended, language))
    }
    told.append(
      Self.told("test: press", .sample(.raise, device: .bench(1)), language))
    told.append(
      Self.told(
        "test: closing", .sample(.closing, ended: .disarmed, device: .bench(1)), language))
    return told
  }

  private static func told(
    _ name: String, _ notification: Notification, _ language: String, _ account: Account = .owner
  ) -> Told {
    var notification = notification
    notification.contact.language = language
    return Told(
      name: name,
      message: OutgoingMessage(
        notification, account: account, acknowledgeURL: "https://example.org/ack/1",
        now: .evening),
      pressed: notification.pressedAt)
  }
}

extension Notification.Context {
  fileprivate static var twoOutOfReach: Self {
    var context = Self()
    context.outOfReach = 2
    return context
  }

  fileprivate static var fleet: Self {
    var context = Self()
    context.fleetPresses = 300
    return context
  }
}
