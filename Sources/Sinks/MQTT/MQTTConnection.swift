import CMosquitto
import FobBase
import Foundation
import Glibc
public import SerialIO
import Synchronization

/// One session with a broker by MQTT 5 (OASIS, 7 March 2019), on a thread of its own, over
/// libmosquitto. It connects again for as long as it runs, 1 to 30 s later each time; nothing is
/// queued while there is no connection, and nothing of a connection that has gone is sent by the
/// next, so nothing that is old is told later.
///
/// What is published has quality of service 1: the broker says that it has it. A broker that does
/// not in 10 s has lost the connection.
public final class MQTTConnection: Sendable {
  /// What it is connected by.
  public struct Settings: Sendable {
    let address: BrokerAddress
    /// The user at the broker; nil: none.
    var account: String?
    var secret: SinkSecret?
    /// Who issued the broker's certificate; nil: those whom the system trusts.
    var caFile: String?
    /// The session's name at the broker, the same in each run.
    let client: String
  }

  /// A message on a topic that was subscribed to.
  public struct Message: Sendable {
    /// As it was published.
    public let topic: String
    /// At most ``MQTTConnection/longestMessage`` bytes with its topic.
    public let payload: [UInt8]
  }

  /// What the broker says to a message: a reason code of MQTT, or `lost`.
  private typealias Confirmation = OneShot<Int32>

  /// Any thread may use it, since libmosquitto locks it for itself; one thread alone destroys it,
  /// within this class's lock.
  private struct Client: @unchecked Sendable {
    let pointer: OpaquePointer
  }

  private struct State: ~Copyable {
    /// Of the present connection; thread-safe, once it is said to be used by several threads.
    var client: Client?
    /// By libmosquitto's number of the message.
    var awaited: [Int32: Confirmation] = [:]
    var isConnected = false
    /// Why the broker does not take this session; nil: it has not said so.
    var refusal: String?
    var trouble = "it is not connected yet"
    var thread: BlockingThread?
    var isStopping = false
    var subscriptions: [String] = []
    var onConnection: (@Sendable (_ trouble: String?) -> Void)?
    var onMessage: (@Sendable (Message) -> Void)?
  }

  /// In place of a reason code: the connection went first.
  private static let lost: Int32 = -1
  /// No larger message is taken from a broker.
  public static let longestMessage = 4_096
  /// How long a broker may take to confirm, as a web server may take to answer.
  private static let confirmsWithin = Interval.seconds(10)
  /// How often both sides show that they are there, s; after one and a half the will is told.
  private static let keepAlive: Int32 = 10
  /// For how long the broker keeps the session of a core that is away, s: commands that are sent
  /// meanwhile come late, and name their incident.
  private static let sessionKept: UInt32 = 3_600

  private let settings: Settings
  private let name: String
  private let state = Mutex(State())
  private let wake: EventSignal
  private let will: (topic: String, payload: String)

  /// Connects to nobody yet.
  /// - Parameters:
  ///   - name: of the channel, for its thread and its failures.
  ///   - will: what the broker publishes and keeps once this session is gone unannounced.
  /// - Throws: which setting cannot be used.
  init(
    _ settings: Settings, name: String, will: (topic: String, payload: String)
  ) throws(ConfigurationFailure) {
    self.settings = settings
    self.name = name
    self.will = will
    _ = Self.library
    guard let wake = try? EventSignal() else {
      throw ConfigurationFailure("type", "cannot be served: the system has no room for it")
    }
    self.wake = wake
    if let file = settings.caFile, !FileManager.default.isReadableFile(atPath: file) {
      throw ConfigurationFailure("caFile", "cannot be read: \(file)")
    }
  }

  /// A session's name: that of its channel on this host.
  static func client(of name: String) -> String {
    var host = [CChar](repeating: 0, count: 65)
    gethostname(&host, host.count - 1)
    return host.withUnsafeBufferPointer { "fob-\(name)-\(String(cString: $0.baseAddress!))" }
  }

  private static let library = mosquitto_lib_init()

  /// A client without a past: what an earlier one had not been confirmed goes with it.
  private func makeClient() -> OpaquePointer? {
    guard let client = mosquitto_new(settings.client, false, nil) else { return nil }
    mosquitto_user_data_set(client, Unmanaged.passUnretained(self).toOpaque())
    mosquitto_threaded_set(client, true)
    mosquitto_int_option(client, MOSQ_OPT_PROTOCOL_VERSION, MQTT_PROTOCOL_V5)
    mosquitto_int_option(client, MOSQ_OPT_TCP_NODELAY, 1)
    let payload = Array(will.payload.utf8)
    mosquitto_will_set_v5(client, will.topic, Int32(payload.count), payload, 1, true, nil)
    mosquitto_username_pw_set(client, settings.account, settings.secret?.text)
    if settings.address.isSecure {
      if let file = settings.caFile {
        mosquitto_tls_set(client, file, nil, nil, nil, nil)
      } else {
        mosquitto_int_option(client, MOSQ_OPT_TLS_USE_OS_CERTS, 1)
      }
    }
    listen(to: client)
    return client
  }

  // MARK: The thread

  /// Connects, and stays connected until `stop`.
  /// - Parameters:
  ///   - topics: subscribed to with each connection; what the broker keeps of them is not taken.
  ///   - onConnection: called with nil at each connection, and with what is wrong where one ends or
  ///     fails. Called as `onMessage` is.
  ///   - onMessage: called in order on this connection's thread; it must not wait.
  public func start(
    subscribing topics: [String], onConnection: @escaping @Sendable (_ trouble: String?) -> Void,
    onMessage: @escaping @Sendable (Message) -> Void
  ) throws(IOFailure) {
    state.withLock {
      $0.subscriptions = topics
      $0.onConnection = onConnection
      $0.onMessage = onMessage
    }
    let thread = try BlockingThread(name: "mqtt \(name)") { [self] in run() }
    state.withLock { $0.thread = thread }
  }

  /// Says goodbye, so that the broker tells no will, and ends the thread.
  public func stop() {
    let thread = state.withLock { state in
      state.isStopping = true
      if let client = state.client { mosquitto_disconnect(client.pointer) }
      return state.thread.take()
    }
    wake.signal()
    // A thread that looks up a name is left behind.
    _ = thread?.join(within: .seconds(1))
  }

  private var isStopping: Bool { state.withLock { $0.isStopping } }

  private func run() {
    var pause = Interval.seconds(1)
    while !isStopping {
      let began = BootClock.now()
      let trouble = connection()
      guard !isStopping else { return }
      lose(trouble)
      // One that drops each connection at once is asked less and less often.
      if BootClock.now() - began >= .seconds(1) { pause = .seconds(1) }
      _ = try? Syscall.poll(wake.descriptor, for: POLLIN, until: BootClock.now() + pause)
      pause = min(pause + pause, .seconds(30))
    }
  }

  /// One connection, from its first byte to its last.
  /// - Returns: why it ended.
  private func connection() -> String {
    guard let client = makeClient().map(Client.init) else { return "the process has no room" }
    state.withLock { $0.client = client }
    var result = connect(client.pointer)
    while result == MOSQ_ERR_SUCCESS.code, !isStopping {
      result = mosquitto_loop(client.pointer, 1_000, 1)
    }
    let words = Self.words(result)
    return state.withLock { state in
      state.client = nil
      for confirmation in state.awaited.values { confirmation.open(with: Self.lost) }
      state.awaited = [:]
      mosquitto_destroy(client.pointer)
      defer { state.refusal = nil }
      return state.refusal ?? words
    }
  }

  private func connect(_ client: OpaquePointer) -> Int32 {
    var properties: OpaquePointer?
    defer { mosquitto_property_free_all(&properties) }
    mosquitto_property_add_int32(
      &properties, MQTT_PROP_SESSION_EXPIRY_INTERVAL.identifier, Self.sessionKept)
    mosquitto_property_add_int32(
      &properties, MQTT_PROP_MAXIMUM_PACKET_SIZE.identifier, UInt32(Self.longestMessage))
    return mosquitto_connect_bind_v5(
      client, settings.address.host, Int32(settings.address.port), Self.keepAlive, nil, properties)
  }

  // MARK: What libmosquitto tells, on the thread

  private func listen(to client: OpaquePointer) {
    mosquitto_subscribe_v5_callback_set(client) { _, connection, _, count, granted, _ in
      guard let granted, (0..<Int(count)).contains(where: { granted[$0] >= 0x80 }) else { return }
      MQTTConnection.of(connection).tell("it does not let this core read its commands")
    }
    mosquitto_connect_v5_callback_set(client) { _, connection, reason, _, _ in
      MQTTConnection.of(connection).connected(reason)
    }
    mosquitto_publish_v5_callback_set(client) { _, connection, number, reason, _ in
      MQTTConnection.of(connection).confirm(number, reason)
    }
    mosquitto_message_v5_callback_set(client) { _, connection, message, _ in
      guard let message, let topic = message.pointee.topic,
        message.pointee.payloadlen <= MQTTConnection.longestMessage
      else { return }
      let payload = UnsafeRawBufferPointer(
        start: message.pointee.payload, count: Int(message.pointee.payloadlen))
      MQTTConnection.of(connection).take(
        Message(topic: String(cString: topic), payload: Array(payload)))
    }
  }

  private static func of(_ context: UnsafeMutableRawPointer?) -> MQTTConnection {
    Unmanaged<MQTTConnection>.fromOpaque(context!).takeUnretainedValue()
  }

  private func connected(_ reason: Int32) {
    guard reason == 0 else {
      let words = String(cString: mosquitto_reason_string(reason))
      return state.withLock { $0.refusal = "it refuses: \(words)" }
    }
    let tell = state.withLock { state -> (@Sendable (String?) -> Void)? in
      // Said again, it is no news.
      guard !state.isConnected, let client = state.client?.pointer else { return nil }
      state.isConnected = true
      state.trouble = ""
      for topic in state.subscriptions {
        mosquitto_subscribe_v5(
          client, nil, topic, 1, Int32(MQTT_SUB_OPT_SEND_RETAIN_NEVER.rawValue), nil)
      }
      return state.onConnection
    }
    tell?(nil)
  }

  private func tell(_ trouble: String) { state.withLock { $0.onConnection }?(trouble) }

  private func lose(_ trouble: String) {
    let tell = state.withLock { state in
      let isNews = state.isConnected || state.trouble != trouble
      state.isConnected = false
      state.trouble = trouble
      return isNews ? state.onConnection : nil
    }
    tell?(trouble)
  }

  private func take(_ message: Message) { state.withLock { $0.onMessage }?(message) }

  // MARK: Publishing

  /// Whether the broker is there, as far as is known.
  public var isConnected: Bool { state.withLock { $0.isConnected } }

  /// Publishes, and waits until the broker has it, 10 s at most; from any thread but its own.
  /// - Parameters:
  ///   - payload: as it is, of any length that the broker takes.
  ///   - topic: without a wildcard.
  ///   - isRetained: the broker keeps it for whoever subscribes later.
  ///   - needsReader: somebody has to have subscribed.
  /// - Throws: why the broker does not have it, or that nobody reads it.
  public func publish(
    _ payload: [UInt8], to topic: String, isRetained: Bool = false, needsReader: Bool = false
  ) throws(SinkFailure) {
    guard let confirmation = try? Confirmation() else { throw failure("the process has no room") }
    var number: Int32 = 0
    // Within the lock, so that it is awaited before it is confirmed.
    let trouble = state.withLock { state -> String? in
      guard state.isConnected, let client = state.client?.pointer else { return state.trouble }
      let result = mosquitto_publish_v5(
        client, &number, topic, Int32(payload.count), payload, 1, isRetained, nil)
      guard result == MOSQ_ERR_SUCCESS.code else { return Self.words(result) }
      state.awaited[number] = confirmation
      return nil
    }
    if let trouble { throw failure(trouble) }
    let reason = try? confirmation.pass(until: BootClock.now() + Self.confirmsWithin)
    guard let reason else {
      state.withLock { state in
        state.awaited[number] = nil
        if let client = state.client { mosquitto_disconnect(client.pointer) }
      }
      throw failure("it did not confirm in time")
    }
    guard reason != Self.lost else { throw failure("the connection was lost") }
    if reason == MQTT_RC_NO_MATCHING_SUBSCRIBERS.code {
      if needsReader { throw failure("nobody has subscribed to \(topic)") }
    } else if reason != 0 {
      throw failure("it refuses: \(String(cString: mosquitto_reason_string(reason)))")
    }
  }

  private func confirm(_ number: Int32, _ reason: Int32) {
    state.withLock { $0.awaited.removeValue(forKey: number) }?.open(with: reason)
  }

  private func failure(_ reason: String) -> SinkFailure {
    SinkFailure(sink: name, reason: "\(settings.address.host): \(reason)")
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
