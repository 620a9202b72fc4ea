/// The notification channels of a configuration file: `sinks:`, a list.
public struct SinkConfiguration: Equatable, Sendable, Decodable {
  public var sinks: [SinkEntry]

  public init(_ sinks: [SinkEntry]) { self.sinks = sinks }

  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Keys.self)
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

  private enum Keys: CodingKey { case sinks }

  /// - Throws: which field cannot be used, and what to write instead.
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
        name: name, address: try address(nil), secret: try requiredSecret(), isTest: test)
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

  /// A receiver that was declared a test must be on this host: bench devices may tell it.
  private func address(_ usual: String?) throws(ConfigurationFailure) -> HTTPAddress {
    let address = try HTTPAddress(
      try required(url ?? usual, "url"), field: "url", insecure: insecure)
    guard !test || address.isLoopback else {
      throw ConfigurationFailure(
        "test", "is true, but `url` leads to another host: a test receiver is on 127.0.0.1")
    }
    return address
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

  private func sender() throws(ConfigurationFailure) -> SMSSink.Sender {
    switch (from, service) {
    case (let from?, nil): return .from(from)
    case (nil, let service?): return .service(service)
    default:
      throw ConfigurationFailure("from", "or `service`: give one of them")
    }
  }
}
