import FobBase
import Foundation
import Glibc
public import SerialIO
import Synchronization

/// A session with a broker by MQTT 5 (OASIS, 7 March 2019), on a thread of its own. Another process
/// carries each connection (``MQTTSession``), so that nothing a broker sends ends the core.
///
/// It connects again for as long as it runs, 1 to 30 s later each time; nothing is queued while
/// there is no connection, and nothing of a connection that has gone is sent by the next, so
/// nothing that is old is told later.
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
    /// What carries a connection, a path and its arguments: this program, as it runs.
    var program = ["/proc/self/exe", MQTTSession.command]
  }

  /// A message on a topic that was subscribed to.
  public struct Message: Sendable {
    /// As it was published.
    public let topic: String
    /// At most ``MQTTConnection/longestMessage`` bytes with its topic.
    public let payload: [UInt8]
  }

  /// What the broker says to a message; nil: the connection went first.
  private typealias Confirmation = OneShot<MQTTReport.Confirmation?>

  private struct State {
    /// To the process of the present connection.
    var session: PacketSocket?
    /// By the number of the message.
    var awaited: [Int: Confirmation] = [:]
    var lastNumber = 0
    var isConnected = false
    /// The broker does not confirm: its connection is ended without a goodbye.
    var isGivenUp = false
    var trouble = "it is not connected yet"
    var thread: BlockingThread?
    var isStopping = false
    var subscriptions: [String] = []
    var onConnection: (@Sendable (_ trouble: String?) -> Void)?
    var onMessage: (@Sendable (Message) -> Void)?
  }

  /// No larger message is taken from a broker.
  public static let longestMessage = 4_096
  /// How long a broker may take to confirm, as a web server may take to answer.
  private static let confirmsWithin = Interval.seconds(10)
  /// How long a connection may take to end in good order.
  private static let endsWithin = Interval.seconds(1)

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
      return state.thread.take()
    }
    wake.signal()
    _ = thread?.join(within: Self.endsWithin + .seconds(1))
  }

  private var isStopping: Bool { state.withLock { $0.isStopping } }

  private func run() {
    var pause = Interval.seconds(1)
    while true {
      wake.clear()
      guard !isStopping else { return }
      let began = BootClock.now()
      lose(connection())
      guard !isStopping else { return }
      // One that drops each connection at once is asked less and less often.
      if BootClock.now() - began >= .seconds(1) { pause = .seconds(1) }
      _ = try? Syscall.poll(wake.descriptor, for: POLLIN, until: BootClock.now() + pause)
      pause = min(pause + pause, .seconds(30))
    }
  }

  /// One connection, from its first byte to its last.
  /// - Returns: why it ended.
  private func connection() -> String {
    let (session, child): (PacketSocket, ChildProgram)
    do throws(IOFailure) {
      (session, child) = try PacketSocket.connect { (number) throws(IOFailure) in
        try ChildProgram(settings.program, ChildProgram.Descriptors(input: number))
      }
    } catch {
      return "no process can carry its connection: \(error)"
    }
    state.withLock { state in
      state.session = session
      state.isGivenUp = false
    }
    try? session.send(json: MQTTRequest.connect(opening), waits: true)
    let words = follow(session)
    if isStopping { try? session.send(json: MQTTRequest.leave, waits: false) }
    let patience = isStopping ? Self.endsWithin : Interval.zero
    let end = try? child.awaitEnd(until: BootClock.now() + patience)
    if end == nil {
      child.kill()
      _ = try? child.awaitEnd()
    }
    return words
  }

  private var opening: MQTTRequest.Opening {
    MQTTRequest.Opening(
      host: settings.address.host, port: settings.address.port,
      isSecure: settings.address.isSecure, account: settings.account,
      secret: settings.secret?.text, caFile: settings.caFile, client: settings.client,
      willTopic: will.topic, willPayload: will.payload,
      topics: state.withLock { $0.subscriptions })
  }

  /// Takes what the process tells until there is no more, or nobody wants it.
  /// - Returns: why the connection has ended.
  private func follow(_ session: PacketSocket) -> String {
    var words: String?
    while true {
      var polled = [session.descriptor, wake.descriptor].map {
        pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
      }
      _ = try? Syscall.poll(&polled, count: polled.count)
      wake.clear()
      let (isStopping, isGivenUp) = state.withLock { ($0.isStopping, $0.isGivenUp) }
      guard !isStopping, !isGivenUp else {
        return isGivenUp ? "it does not confirm what it is sent" : "this core ends"
      }
      guard polled[0].revents != 0 else { continue }
      guard let packet = try? session.receive(), let report = MQTTReport(packet) else {
        return words ?? "what it sent has ended its connection"
      }
      switch report {
      case .connected: connected()
      case .refused(let reason): words = "it refuses: \(reason)"
      case .deaf: tell("it does not let this core read its commands")
      case .confirmed(let number, let confirmation):
        state.withLock { $0.awaited.removeValue(forKey: number) }?.open(with: confirmation)
      case .message(let topic, let payload):
        let message = Message(topic: topic, payload: Array(payload))
        state.withLock { $0.onMessage }?(message)
      case .ended(let reason): words = words ?? reason
      }
    }
  }

  private func connected() {
    let tell = state.withLock { state in
      state.isConnected = true
      state.trouble = ""
      return state.onConnection
    }
    tell?(nil)
  }

  private func tell(_ trouble: String) { state.withLock { $0.onConnection }?(trouble) }

  private func lose(_ trouble: String) {
    let tell = state.withLock { state in
      for confirmation in state.awaited.values { confirmation.open(with: nil) }
      state.awaited = [:]
      state.session = nil
      let isNews = !state.isStopping && (state.isConnected || state.trouble != trouble)
      state.isConnected = false
      state.trouble = trouble
      return isNews ? state.onConnection : nil
    }
    tell?(trouble)
  }

  // MARK: Publishing

  /// Whether the broker is there, as far as is known.
  public var isConnected: Bool { state.withLock { $0.isConnected } }

  /// Publishes, and waits until the broker has it, 10 s at most; from any thread but its own.
  /// - Parameters:
  ///   - payload: as it is, of at most 100 KB, which a packet to the session's process holds.
  ///   - topic: without a wildcard.
  ///   - isRetained: the broker keeps it for whoever subscribes later.
  ///   - needsReader: somebody has to have subscribed.
  /// - Throws: why the broker does not have it, or that nobody reads it.
  public func publish(
    _ payload: [UInt8], to topic: String, isRetained: Bool = false, needsReader: Bool = false
  ) throws(SinkFailure) {
    guard let confirmation = try? Confirmation() else { throw failure("the process has no room") }
    // Within the lock, so that it is awaited before it is confirmed.
    let (number, trouble) = state.withLock { state -> (Int, String?) in
      guard state.isConnected, let session = state.session else { return (0, state.trouble) }
      state.lastNumber += 1
      do throws(IOFailure) {
        let request = MQTTRequest.publish(
          number: state.lastNumber, topic: topic, payload: Data(payload), isRetained: isRetained)
        try session.send(json: request, waits: false)
      } catch {
        return (0, error.errno == EMSGSIZE ? "the message is too long" : "it takes no more now")
      }
      state.awaited[state.lastNumber] = confirmation
      return (state.lastNumber, nil)
    }
    if let trouble { throw failure(trouble) }
    switch try? confirmation.pass(until: BootClock.now() + Self.confirmsWithin) {
    case nil:
      state.withLock { state in
        // Another connection of this name confirms for itself.
        if state.awaited.removeValue(forKey: number) != nil { state.isGivenUp = true }
      }
      wake.signal()
      throw failure("it did not confirm in time")
    case .some(nil): throw failure("the connection was lost")
    case .taken: break
    case .unread: if needsReader { throw failure("nobody has subscribed to \(topic)") }
    case .refused(let reason): throw failure("it refuses: \(reason)")
    }
  }

  private func failure(_ reason: String) -> SinkFailure {
    SinkFailure(sink: name, reason: "\(settings.address.host): \(reason)")
  }
}
