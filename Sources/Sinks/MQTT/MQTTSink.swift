public import AlertCore

/// Publishes each message as JSON, as a webhook gets it, to `TOPIC/messages` of a broker. The
/// broker has to have it and somebody has to have subscribed, or it is refused.
public struct MQTTSink: Sink {
  /// The configured name, `mqtt` by default.
  public let name: String
  /// The broker is on this host and was declared a test.
  public let isTest: Bool
  /// Four messages at one time.
  public let width = 4
  /// What all of its topics begin with, as in `fob`.
  public let topic: String
  /// The topic of Home Assistant's discovery, `homeassistant` as a rule; nil: it is told nothing.
  public let discovery: String?
  /// Its session, which whoever runs the core starts and stops.
  public let connection: MQTTConnection

  /// Throws where a setting or a topic cannot be used.
  init(
    name: String, _ settings: MQTTConnection.Settings, topic: String, discovery: String? = nil,
    isTest: Bool = false
  ) throws(ConfigurationFailure) {
    for (field, topic) in [("topic", topic), ("discovery", discovery ?? topic)] {
      let parts = topic.split(separator: "/", omittingEmptySubsequences: false)
      guard topic.utf8.count <= 64,
        parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(PercentEncoding.isNameByte) })
      else {
        throw ConfigurationFailure(
          field, "is not of 1 to 64 letters, digits, - and _, and / between them")
      }
    }
    guard discovery != topic else {
      throw ConfigurationFailure("discovery", "is `topic`, too: Home Assistant's is homeassistant")
    }
    self.name = name
    self.topic = topic
    self.discovery = discovery
    self.isTest = isTest
    connection = try MQTTConnection(
      settings, name: name, will: (topic: Self.availability(topic), payload: Self.offline))
  }

  /// Where it is told whether this core is there: `online`, or `offline` by the broker itself.
  public static func availability(_ topic: String) -> String { topic + "/availability" }
  /// Where the messages of alarms go.
  public static func messages(_ topic: String) -> String { topic + "/messages" }
  /// What is there.
  public static let online = "online"
  /// What is not there.
  public static let offline = "offline"

  /// Whoever subscribes, as a contact of its own.
  public var channel: Contact? { Contact(id: "mqtt:\(name)", name: "MQTT \(name)") }

  /// Only those who subscribe can be told.
  public func obstacle(to contact: Contact) -> String? { obstacleOfChannel(to: contact) }

  /// Publishes once and waits, 10 s at most.
  public func deliver(_ message: OutgoingMessage) throws(SinkFailure) {
    try connection.publish(
      try JSONBody.bytes(message, for: name), to: Self.messages(topic), needsReader: true)
  }
}
