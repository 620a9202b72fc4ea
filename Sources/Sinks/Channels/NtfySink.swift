public import AlertCore

/// Publishes to a topic of an ntfy server (https://docs.ntfy.sh/publish/#publish-as-json). A topic
/// has no owner: whoever knows its name reads it, unless the server asks for a token.
public struct NtfySink: Sink {
  public let name: String
  public let isTest: Bool
  public let width = 2
  private let server: HTTPAddress
  private let topic: String
  private let token: SinkSecret?
  var http = HTTPClientShell()

  public init(
    name: String, server: HTTPAddress, topic: String, token: SinkSecret? = nil, isTest: Bool = false
  ) throws(ConfigurationFailure) {
    // As the server has it: `^[-_A-Za-z0-9]{1,64}$`.
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

  public var channel: Contact? { Contact(id: "ntfy:\(name)", name: "ntfy \(name)") }

  public func obstacle(to contact: Contact) -> String? { obstacleOfChannel(to: contact) }

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
    /// 1 to 5, 5 being the most urgent.
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
      priority = message.kind == .closing ? 3 : message.kind == .update ? 4 : 5
      tags = [message.isClear ? "white_check_mark" : "rotating_light"]
      click = message.position.map { AlertText.map(of: $0) }
      actions = message.acknowledgeURL.map { [Action(label: "I have it in hand", url: $0)] }
    }
  }
}
