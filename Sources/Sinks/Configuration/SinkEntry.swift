/// One notification channel, as the configuration has it.
public struct SinkEntry: Equatable, Sendable {
  public enum Kind: String, CaseIterable, Decodable, Sendable {
    case webhook
    case sms
    case mail
    case ntfy
    case alertmanager
  }

  public var type: Kind
  /// One word; the type where there is none.
  public var name: String?
  public var url: String?
  public var secret: SinkSecret?
  public var secretFile: String?
  /// Serves bench devices, and tells nobody: on this host.
  public var test = false
  /// Plain http to another host.
  public var insecure = false
  /// Of the provider of text messages.
  public var account: String?
  /// A number or name of text messages, or a mailbox.
  public var from: String?
  public var service: String?
  public var topic: String?
  public var command: [String]?

  public init(_ type: Kind) { self.type = type }

  var sinkName: String { name ?? type.rawValue }

  enum Field: String, CodingKey, CaseIterable {
    case type, name, url, secret, secretFile, test, insecure, account, from, service, topic, command

    /// Those of every type, and those of this one.
    static func allowed(_ type: Kind) -> [Field] {
      let own: [Field] =
        switch type {
        case .webhook: [.url, .secret, .secretFile, .insecure]
        case .sms: [.url, .secret, .secretFile, .insecure, .account, .from, .service]
        case .mail: [.from, .command]
        case .ntfy: [.url, .secret, .secretFile, .insecure, .topic]
        case .alertmanager: [.url, .insecure]
        }
      return [.type, .name, .test] + own
    }
  }
}

extension SinkEntry: Decodable {
  /// A field that the type does not have is an error: it would be without effect.
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
  }

  /// Names the field where its value is not of the kind; what was read stays out, since it may be
  /// a secret.
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
