import FobBase
import Glibc
import SerialIO

/// A core's configuration file: the notification channels, `sinks:`, and the countries that are
/// served, `countries:` (R57).
public struct SinkConfiguration: Equatable, Sendable, Decodable {
  /// The channels in the order of the file; the first that reaches a contact is tried first.
  public var sinks: [SinkEntry]
  /// ISO 3166, two capital letters each; empty: every country.
  public var countries: [String] = []

  /// A configuration made by a program, not read from a file.
  public init(_ sinks: [SinkEntry]) { self.sinks = sinks }

  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Keys.self)
    countries = try values.decodeIfPresent([String].self, forKey: .countries) ?? []
    for (index, country) in countries.enumerated()
    where country.utf8.count != 2 || !country.utf8.allSatisfy({ (0x41...0x5A).contains($0) }) {
      throw ConfigurationFailure("countries[\(index)]", "is not two capital letters, as in FR")
    }
    var list = try values.nestedUnkeyedContainer(forKey: .sinks)
    sinks = []
    while !list.isAtEnd {
      do {
        sinks.append(try list.decode(SinkEntry.self))
      } catch let failure as ConfigurationFailure {
        throw failure.within("sinks[\(sinks.count)]")
      }
    }
  }

  private enum Keys: CodingKey { case sinks, countries }

  /// Makes the channels.
  /// - Throws: which field cannot be used, and a hint.
  public func make() throws(ConfigurationFailure) -> [any Sink] {
    var made: [any Sink] = []
    for (index, entry) in sinks.enumerated() {
      do throws(ConfigurationFailure) {
        if made.contains(where: { $0.name == entry.sinkName }) {
          throw ConfigurationFailure("name", "is another sink's, too: give each its own")
        }
        made.append(try entry.make())
      } catch {
        throw error.within("sinks[\(index)]")
      }
    }
    return made
  }
}

extension SinkEntry {
  fileprivate func make() throws(ConfigurationFailure) -> any Sink {
    let name = sinkName
    guard !name.isEmpty, name.utf8.count <= 32, name.utf8.allSatisfy(PercentEncoding.isNameByte)
    else {
      throw ConfigurationFailure("name", "is not of 1 to 32 letters, digits, - and _")
    }
    switch type {
    case .webhook:
      return try WebhookSink(
        name: name, address: try address(nil), secret: try requiredSecret(),
        format: try webhookFormat(), isTest: test)
    case .sms:
      return try SMSSink(
        name: name, base: try address(SMSSink.provider), account: try required(account, "account"),
        token: try requiredSecret(), sender: try sender(), isTest: test)
    case .mail:
      return try MailSink(
        name: name, from: try required(from, "from"), command: command ?? MailSink.command,
        isTest: test)
    case .ntfy:
      return try NtfySink(
        name: name, server: try address(nil), topic: try required(topic, "topic"),
        token: try givenSecret(), isTest: test)
    case .alertmanager:
      return AlertmanagerSink(name: name, base: try address(nil), isTest: test)
    case .mqtt:
      return try MQTTSink(
        name: name, try brokerSettings(name), topic: topic ?? "fob", discovery: discovery,
        isTest: test)
    case .dc09:
      return try DC09Sink(
        name: name, try receiverLink(), format: try receiverFormat(),
        supervision: try supervisionInterval(), isTest: test)
    }
  }

  private func required<Value>(
    _ value: Value?, _ field: String
  ) throws(ConfigurationFailure) -> Value {
    guard let value else {
      throw ConfigurationFailure(field, "is missing: a \(type.rawValue) sink needs it")
    }
    return value
  }

  /// A receiver that is declared a test must be on this host, since bench devices may tell it.
  private func address(_ usual: String?) throws(ConfigurationFailure) -> HTTPAddress {
    let address = try HTTPAddress(
      try required(url ?? usual, "url"), field: "url", insecure: insecure)
    try requireThisHost(address.isLoopback)
    return address
  }

  private func requireThisHost(_ isLoopback: Bool) throws(ConfigurationFailure) {
    guard !test || isLoopback else {
      throw ConfigurationFailure(
        "test", "is true, but `url` leads to another host: a test receiver is on 127.0.0.1")
    }
  }

  private func brokerSettings(
    _ name: String
  ) throws(ConfigurationFailure) -> MQTTConnection.Settings {
    let address = try BrokerAddress(try required(url, "url"), insecure: insecure)
    try requireThisHost(address.isLoopback)
    guard address.isSecure || caFile == nil else {
      throw ConfigurationFailure("caFile", "says nothing with mqtt: write mqtts")
    }
    return MQTTConnection.Settings(
      address: address, account: account, secret: try givenSecret(), caFile: caFile,
      client: MQTTConnection.client(of: name))
  }

  private func receiverLink() throws(ConfigurationFailure) -> DC09Link {
    let address = try ReceiverAddress(try required(url, "url"))
    try requireThisHost(address.isLoopback)
    let place = try DC09Place(
      account: try required(account, "account"), receiver: receiver ?? "0", line: line ?? "0")
    let cipher = try givenSecret().map { (secret) throws(ConfigurationFailure) in
      try DC09Place.cipher(secret)
    }
    guard cipher != nil || address.isLoopback || insecure else {
      throw ConfigurationFailure(
        "secret",
        "is missing: without a key everybody on the way to another host reads and forges it; give"
          + " one, or say `insecure: true`")
    }
    return DC09Link(place, at: address, by: cipher)
  }

  private func receiverFormat() throws(ConfigurationFailure) -> DC09Format {
    guard let format = DC09Format(rawValue: self.format ?? DC09Format.dcs.rawValue) else {
      throw ConfigurationFailure("format", "is neither cid nor dcs")
    }
    return format
  }

  private func supervisionInterval() throws(ConfigurationFailure) -> Interval? {
    guard let supervision else { return nil }
    guard (10...86_400).contains(supervision) else {
      throw ConfigurationFailure("supervision", "is not 10 to 86400 seconds")
    }
    return .seconds(Int64(supervision))
  }

  private func givenSecret() throws(ConfigurationFailure) -> SinkSecret? {
    guard secret == nil || secretFile == nil else {
      throw ConfigurationFailure("secretFile", "stands beside `secret`: give one of them")
    }
    guard let secretFile else { return secret }
    return try SinkSecret(file: secretFile)
  }

  private func requiredSecret() throws(ConfigurationFailure) -> SinkSecret {
    guard let given = try givenSecret() else {
      throw ConfigurationFailure("secret", "is missing: give `secret` or `secretFile`")
    }
    return given
  }

  private func webhookFormat() throws(ConfigurationFailure) -> WebhookSink.Format {
    guard let format else { return .json }
    guard let known = WebhookSink.Format(rawValue: format) else {
      let words = WebhookSink.Format.allCases.map(\.rawValue).joined(separator: ", ")
      throw ConfigurationFailure("format", "is none of \(words)")
    }
    return known
  }

  private func sender() throws(ConfigurationFailure) -> SMSSink.Sender {
    switch (from, service) {
    case (let from?, nil): return .from(from)
    case (nil, let service?): return .service(service)
    default:
      throw ConfigurationFailure("from", "or `service`: give one of them")
    }
  }
}

/// One notification channel as it is configured; optional fields are nil if the file leaves them
/// out.
public struct SinkEntry: Equatable, Sendable {
  /// The word of `type:` in the file.
  public enum Kind: String, CaseIterable, Decodable, Sendable {
    case webhook
    case sms
    case mail
    case ntfy
    case alertmanager
    case mqtt
    case dc09
  }

  /// The kind of channel; it decides which fields are allowed.
  public var type: Kind
  /// One word of 1 to 32 letters, digits, - and _; nil: the type's word.
  public var name: String?
  /// The receiver's address; for SMS and nil, ``SMSSink/provider``.
  public var url: String?
  /// A secret in the file itself; not beside `secretFile`.
  public var secret: SinkSecret?
  /// The path or credential name of a file with the secret, that others may not read.
  public var secretFile: String?
  /// Serves bench devices, and tells no real person: the receiver is on this host.
  public var test = false
  /// Allows plain http, or another protocol in the open, to another host.
  public var insecure = false
  /// The account at the SMS provider or at an alarm receiver, or the user at an MQTT broker.
  public var account: String?
  /// The sender: a number or name for SMS, a mailbox for mail.
  public var from: String?
  /// The SMS provider's messaging service, `MG…`; in place of `from`.
  public var service: String?
  /// The topic at an ntfy server; what the topics at an MQTT broker begin with, nil: `fob`.
  public var topic: String?
  /// The topic of Home Assistant's discovery at an MQTT broker; nil: it is told nothing.
  public var discovery: String?
  /// A file with the certificates that issue an MQTT broker's; nil: the system's.
  public var caFile: String?
  /// What a webhook's body is, a word of ``WebhookSink/Format``, nil: `json`; how an alarm receiver
  /// is told, `cid` or `dcs`, nil: `dcs`.
  public var format: String?
  /// The mailer's absolute path and its arguments; nil: ``MailSink/command``.
  public var command: [String]?
  /// The receiver's number at a monitoring station, 1 to 6 hexadecimal digits; nil: 0.
  public var receiver: String?
  /// The line's prefix there, 1 to 6 hexadecimal digits; nil: 0.
  public var line: String?
  /// After so many seconds without a confirmation an alarm receiver is asked; nil: never.
  public var supervision: Int?

  /// An entry with its type alone; other fields are set afterwards.
  public init(_ type: Kind) { self.type = type }

  var sinkName: String { name ?? type.rawValue }

  enum Field: String, CodingKey, CaseIterable {
    case type, name, url, secret, secretFile, test, insecure, account, from, service, topic, command
    case discovery, caFile, format, receiver, line, supervision

    /// The fields of every type, and those of this one.
    static func allowed(_ type: Kind) -> [Field] {
      let own: [Field] =
        switch type {
        case .webhook: [.url, .secret, .secretFile, .insecure, .format]
        case .sms: [.url, .secret, .secretFile, .insecure, .account, .from, .service]
        case .mail: [.from, .command]
        case .ntfy: [.url, .secret, .secretFile, .insecure, .topic]
        case .alertmanager: [.url, .insecure]
        case .mqtt:
          [.url, .secret, .secretFile, .insecure, .account, .topic, .discovery, .caFile]
        case .dc09:
          [
            .url, .secret, .secretFile, .insecure, .account, .format, .receiver, .line,
            .supervision,
          ]
        }
      return [.type, .name, .test] + own
    }
  }
}

extension SinkEntry: Decodable {
  /// A field that the type does not have is an error, since it would have no effect.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Field.self)
    let word = try Self.read(.type, String.self, values)
    guard let type = word.flatMap(Kind.init(rawValue:)) else {
      let kinds = Kind.allCases.map(\.rawValue).joined(separator: ", ")
      throw ConfigurationFailure("type", "is none of \(kinds)")
    }
    let allowed = Field.allowed(type)
    let given = try decoder.container(keyedBy: AnyKey.self).allKeys.map(\.stringValue)
    for field in given where !allowed.contains(where: { $0.rawValue == field }) {
      let known = allowed.map(\.rawValue).joined(separator: ", ")
      throw ConfigurationFailure(field, "is no field of a \(type.rawValue) sink: it has \(known)")
    }
    self.init(type)
    name = try Self.read(.name, String.self, values)
    url = try Self.read(.url, String.self, values)
    secret = try Self.read(.secret, SinkSecret.self, values)
    secretFile = try Self.read(.secretFile, String.self, values)
    test = try Self.read(.test, Bool.self, values) ?? false
    insecure = try Self.read(.insecure, Bool.self, values) ?? false
    account = try Self.read(.account, String.self, values)
    from = try Self.read(.from, String.self, values)
    service = try Self.read(.service, String.self, values)
    topic = try Self.read(.topic, String.self, values)
    command = try Self.read(.command, [String].self, values)
    discovery = try Self.read(.discovery, String.self, values)
    caFile = try Self.read(.caFile, String.self, values)
    format = try Self.read(.format, String.self, values)
    receiver = try Self.read(.receiver, String.self, values)
    line = try Self.read(.line, String.self, values)
    supervision = try Self.read(.supervision, Int.self, values)
  }

  /// Names the field whose value is of the wrong kind. The value itself is left out, since it may
  /// be a secret.
  private static func read<Value: Decodable>(
    _ field: Field, _ type: Value.Type, _ values: KeyedDecodingContainer<Field>
  ) throws -> Value? {
    do {
      return try values.decodeIfPresent(type, forKey: field)
    } catch {
      let kind =
        switch field {
        case .test, .insecure: "true or false"
        case .command: "a list of words"
        case .supervision: "a whole number of seconds"
        default: "a text: put it in quotes"
        }
      throw ConfigurationFailure(field.rawValue, "is not \(kind)")
    }
  }

  private struct AnyKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init?(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }
}

/// A text that is never printed, logged or dumped.
public struct SinkSecret: Equatable, Sendable, Decodable, CustomStringConvertible, CustomReflectable
{
  let text: String

  /// Takes the secret as it is; nothing is trimmed.
  public init(_ text: String) { self.text = text }

  public init(from decoder: any Decoder) throws {
    text = try decoder.singleValueContainer().decode(String.self)
  }

  /// Reads a file or credential, without the line break at its end. A file that others may read is
  /// refused.
  init(file place: String) throws(ConfigurationFailure) {
    let text: String?
    do throws(IOFailure) {
      text = try SecretFile.read(place).text
    } catch  where error.errno == EPERM {
      throw ConfigurationFailure("secretFile", "can be read by others: chmod 600 \(place)")
    } catch {
      text = nil
    }
    guard let text else {
      throw ConfigurationFailure(
        "secretFile", "cannot be read as a text of at most 4096 bytes: \(place)")
    }
    self.text = String(text.reversed().drop(while: \.isNewline).reversed())
  }

  public var description: String { "(secret)" }
  /// Shows a debugger or `dump` nothing of the text.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// A configuration field that cannot be used, and a hint. It never contains a secret.
public struct ConfigurationFailure: Error, Equatable, Sendable, CustomStringConvertible {
  /// The field with its place, as in "sinks[0].url".
  public let field: String
  /// What is wrong, and a hint: it follows the field's name in the description.
  public let reason: String

  /// The field's name without its place, and the words that follow it.
  public init(_ field: String, _ reason: String) {
    self.field = field
    self.reason = reason
  }

  public var description: String { "\(field) \(reason)" }

  func within(_ outer: String) -> ConfigurationFailure {
    ConfigurationFailure("\(outer).\(field)", reason)
  }
}
