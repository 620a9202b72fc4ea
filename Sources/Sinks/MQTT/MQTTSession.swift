import CMosquitto
import Foundation
import Glibc
public import SerialIO

/// What the core asks of a session's process: one JSON text a packet.
enum MQTTRequest: Codable, Sendable {
  /// The first of all, once.
  case connect(Opening)
  /// `number` is the core's own, which the confirmation names.
  case publish(number: Int, topic: String, payload: Data, isRetained: Bool)
  /// Says goodbye, so that the broker tells no will.
  case leave

  /// Whom it connects to, and as whom.
  struct Opening: Codable, Sendable {
    let host: String
    let port: UInt16
    let isSecure: Bool
    let account: String?
    let secret: String?
    let caFile: String?
    let client: String
    let willTopic: String
    let willPayload: String
    let topics: [String]
  }
}

/// What a session's process tells the core: one JSON text a packet.
enum MQTTReport: Codable, Sendable {
  case connected
  /// The broker does not take this session; why.
  case refused(String)
  /// The broker does not let this session read a topic.
  case deaf
  case confirmed(number: Int, Confirmation)
  case message(topic: String, payload: Data)
  /// The last of all; why the connection has ended.
  case ended(String)

  /// What the broker says to a message.
  enum Confirmation: Codable, Equatable, Sendable {
    case taken
    /// It has it, and nobody reads the topic.
    case unread
    case refused(String)
  }
}

extension MQTTReport {
  /// Nil for what is none.
  init?(_ packet: [UInt8]) {
    guard let report = try? JSONDecoder().decode(MQTTReport.self, from: Data(packet)) else {
      return nil
    }
    self = report
  }
}

extension PacketSocket {
  func send(json message: some Encodable, waits: Bool) throws(IOFailure) {
    guard let text = try? JSONEncoder().encode(message) else {
      throw IOFailure("write", errno: EINVAL, path: "a message")
    }
    try send(Array(text), waits: waits)
  }
}

/// One connection to a broker over libmosquitto, in a process of its own: a packet that ends
/// libmosquitto's process, or that fills the memory, ends this one. One thread alone.
public final class MQTTSession {
  /// The program's argument that makes it one.
  public static let command = "mqtt-session"

  /// How often both sides show that they are there, s; after one and a half the will is told.
  private static let keepAlive: Int32 = 10
  /// For how long the broker keeps the session of a core that is away, s: commands that are sent
  /// meanwhile come late, and name their incident.
  private static let sessionKept: UInt32 = 3_600
  /// Bytes that this process may fill; libmosquitto takes packets of up to 256 MB.
  private static let memory: UInt = 128 << 20

  private let core: PacketSocket
  private let opening: MQTTRequest.Opening
  private let client: OpaquePointer
  /// By libmosquitto's number of the message: the core's.
  private var awaited: [Int32: Int] = [:]
  private var isConnected = false

  /// Carries one session from its first byte to its last, as the core at the other end asks.
  public static func run(with core: PacketSocket) {
    guard let first = try? core.receive(), case .connect(let opening)? = Self.request(first) else {
      return
    }
    limit()
    mosquitto_lib_init()
    guard let client = mosquitto_new(opening.client, false, nil) else { return }
    MQTTSession(core, opening, client).run()
  }

  private init(
    _ core: PacketSocket, _ opening: MQTTRequest.Opening, _ client: OpaquePointer
  ) {
    self.core = core
    self.opening = opening
    self.client = client
  }

  /// Nothing of what it is sent fills this host's memory, and no secret gets into a core dump.
  private static func limit() {
    for (resource, most) in [(RLIMIT_DATA, memory), (RLIMIT_CORE, 0)] {
      var limit = rlimit(rlim_cur: most, rlim_max: most)
      _ = setrlimit(__rlimit_resource_t(resource.rawValue), &limit)
    }
  }

  private func run() {
    prepare()
    var result = connect()
    while result == MOSQ_ERR_SUCCESS.code, mosquitto_socket(client) >= 0 {
      guard let next = step() else { return }
      result = next
    }
    report(.ended(Self.words(result)))
  }

  /// Waits for either side, a second at most, and serves it.
  /// - Returns: libmosquitto's result; nil once the core is not there any more.
  private func step() -> Int32? {
    let writes = mosquitto_want_write(client) ? POLLOUT : 0
    var polled = [
      pollfd(fd: core.descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: mosquitto_socket(client), events: Int16(POLLIN | writes), revents: 0),
    ]
    guard poll(&polled, 2, 1_000) >= 0 || errno == EINTR else { return nil }
    if polled[0].revents != 0 {
      guard let packet = try? core.receive(), let request = Self.request(packet) else { return nil }
      serve(request)
    }
    var result = MOSQ_ERR_SUCCESS.code
    if polled[1].revents & Int16(POLLOUT) != 0 { result = mosquitto_loop_write(client, 1) }
    if result == MOSQ_ERR_SUCCESS.code, polled[1].revents & ~Int16(POLLOUT) != 0 {
      result = mosquitto_loop_read(client, 1)
    }
    return result == MOSQ_ERR_SUCCESS.code ? mosquitto_loop_misc(client) : result
  }

  private func serve(_ request: MQTTRequest) {
    switch request {
    case .connect: break
    case .publish(let number, let topic, let payload, let isRetained):
      var sent: Int32 = 0
      let result = payload.withUnsafeBytes {
        mosquitto_publish_v5(
          client, &sent, topic, Int32($0.count), $0.baseAddress, 1, isRetained, nil)
      }
      if result == MOSQ_ERR_SUCCESS.code {
        awaited[sent] = number
      } else {
        report(.confirmed(number: number, .refused(Self.words(result))))
      }
    case .leave: mosquitto_disconnect(client)
    }
  }

  private static func request(_ packet: [UInt8]) -> MQTTRequest? {
    try? JSONDecoder().decode(MQTTRequest.self, from: Data(packet))
  }

  /// A core that is not there any more is seen by `step`.
  private func report(_ report: MQTTReport) {
    try? core.send(json: report, waits: true)
  }

  // MARK: libmosquitto

  private func prepare() {
    mosquitto_user_data_set(client, Unmanaged.passUnretained(self).toOpaque())
    mosquitto_int_option(client, MOSQ_OPT_PROTOCOL_VERSION, MQTT_PROTOCOL_V5)
    mosquitto_int_option(client, MOSQ_OPT_TCP_NODELAY, 1)
    let payload = Array(opening.willPayload.utf8)
    mosquitto_will_set_v5(client, opening.willTopic, Int32(payload.count), payload, 1, true, nil)
    mosquitto_username_pw_set(client, opening.account, opening.secret)
    if opening.isSecure {
      if let file = opening.caFile {
        mosquitto_tls_set(client, file, nil, nil, nil, nil)
      } else {
        mosquitto_int_option(client, MOSQ_OPT_TLS_USE_OS_CERTS, 1)
      }
    }
    mosquitto_subscribe_v5_callback_set(client) { _, session, _, count, granted, _ in
      guard let granted, (0..<Int(count)).contains(where: { granted[$0] >= 0x80 }) else { return }
      MQTTSession.of(session).report(.deaf)
    }
    mosquitto_connect_v5_callback_set(client) { _, session, reason, _, _ in
      MQTTSession.of(session).connected(reason)
    }
    mosquitto_publish_v5_callback_set(client) { _, session, number, reason, _ in
      MQTTSession.of(session).confirm(number, reason)
    }
    mosquitto_message_v5_callback_set(client) { _, session, message, _ in
      guard let message, let topic = message.pointee.topic,
        message.pointee.payloadlen <= MQTTConnection.longestMessage
      else { return }
      let payload = Data(bytes: message.pointee.payload, count: Int(message.pointee.payloadlen))
      MQTTSession.of(session).report(.message(topic: String(cString: topic), payload: payload))
    }
  }

  private static func of(_ context: UnsafeMutableRawPointer?) -> MQTTSession {
    Unmanaged<MQTTSession>.fromOpaque(context!).takeUnretainedValue()
  }

  private func connect() -> Int32 {
    var properties: OpaquePointer?
    defer { mosquitto_property_free_all(&properties) }
    mosquitto_property_add_int32(
      &properties, MQTT_PROP_SESSION_EXPIRY_INTERVAL.identifier, Self.sessionKept)
    mosquitto_property_add_int32(
      &properties, MQTT_PROP_MAXIMUM_PACKET_SIZE.identifier, UInt32(MQTTConnection.longestMessage))
    return mosquitto_connect_bind_v5(
      client, opening.host, Int32(opening.port), Self.keepAlive, nil, properties)
  }

  private func connected(_ reason: Int32) {
    guard reason == 0 else {
      return report(.refused(String(cString: mosquitto_reason_string(reason))))
    }
    // Said again, it is no news.
    guard !isConnected else { return }
    isConnected = true
    for topic in opening.topics {
      mosquitto_subscribe_v5(
        client, nil, topic, 1, Int32(MQTT_SUB_OPT_SEND_RETAIN_NEVER.rawValue), nil)
    }
    report(.connected)
  }

  private func confirm(_ sent: Int32, _ reason: Int32) {
    guard let number = awaited.removeValue(forKey: sent) else { return }
    let confirmation: MQTTReport.Confirmation =
      switch reason {
      case 0: .taken
      case MQTT_RC_NO_MATCHING_SUBSCRIBERS.code: .unread
      default: .refused(String(cString: mosquitto_reason_string(reason)))
      }
    report(.confirmed(number: number, confirmation))
  }

  /// In our own words where there are better ones.
  private static func words(_ result: Int32) -> String {
    switch result {
    case MOSQ_ERR_ERRNO.code: "it cannot be reached: \(String(cString: strerror(errno)))"
    case MOSQ_ERR_EAI.code: "it cannot be reached: its name is not known"
    case MOSQ_ERR_TLS.code: "its certificate is not trusted, or it speaks no TLS"
    case MOSQ_ERR_CONN_LOST.code, MOSQ_ERR_KEEPALIVE.code: "the connection was lost"
    default: String(cString: mosquitto_strerror(result)).lowercased()
    }
  }
}

extension mosq_err_t {
  fileprivate var code: Int32 { rawValue }
}

extension mqtt5_return_codes {
  fileprivate var code: Int32 { Int32(rawValue) }
}

extension mqtt5_property {
  fileprivate var identifier: Int32 { Int32(rawValue) }
}
