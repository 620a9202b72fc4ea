public import AlertCore

/// Publishes to a topic of an ntfy server (https://docs.ntfy.sh/publish/#publish-as-json). Anybody
/// who knows a topic's name can read it, unless the server asks for a token.
public struct NtfySink: Sink {
  /// The configured name, `ntfy` by default.
  public let name: String
  /// The server is on this host and was declared a test.
  public let isTest: Bool
  /// Two messages at one time.
  public let width = 2
  private let server: HTTPAddress
  private let topic: String
  private let token: SinkSecret?
  var http = HTTPClientShell()

  /// Throws if `topic` is not 1 to 64 letters, digits, `-` and `_`. A nil `token` sends no
  /// Authorization.
  public init(
    name: String, server: HTTPAddress, topic: String, token: SinkSecret? = nil, isTest: Bool = false
  ) throws(ConfigurationFailure) {
    // The server's own rule: `^[-_A-Za-z0-9]{1,64}$`.
    guard !topic.isEmpty, topic.utf8.count <= 64,
      topic.utf8.allSatisfy({ PercentEncoding.isNameByte($0) })
    else {
      throw ConfigurationFailure(
        "topic", "is not of 1 to 64 letters, digits, - and _: choose one that nobody guesses")
    }
    self.name = name
    self.server = server
    self.topic = topic
    self.token = token
    self.isTest = isTest
  }

  /// The topic as a contact of its own.
  public var channel: Contact? { Contact(id: "ntfy:\(name)", name: "ntfy \(name)") }

  /// Only the topic itself can be told.
  public func obstacle(to contact: Contact) -> String? { obstacleOfChannel(to: contact) }

  /// Posts once and waits, 10 s at most; throws unless the answer is a 2xx.
  public func deliver(_ message: OutgoingMessage) throws(SinkFailure) {
    var headers = [("Content-Type", "application/json")]
    if let token { headers.append(("Authorization", "Bearer \(token.text)")) }
    let body = try JSONBody.bytes(Publication(message, topic: topic), for: name)
    try http.post(server.appending("/"), headers: headers, body: body, for: name)
      .requireAcceptance()
  }

  struct Publication: Encodable {
    let topic: String
    let title: String
    let message: String
    /// 1 to 5; 5 is the most urgent.
    let priority: Int
    let tags: [String]
    let click: String?
    let actions: [Action]?

    struct Action: Encodable {
      var action = "view"
      let label: String
      let url: String
    }

    init(_ message: OutgoingMessage, topic: String) {
      self.topic = topic
      title = message.headline
      self.message = message.text
      priority =
        message.kind == .closing ? 3 : message.kind == .update || message.kind == .message ? 4 : 5
      tags = [message.isClear ? "white_check_mark" : "rotating_light"]
      click = message.position.map { AlertText.map(of: $0) }
      actions = message.acknowledgeURL.map {
        [Action(label: message.phrases[.acknowledge], url: $0)]
      }
    }
  }
}
