import AlertCore
import Control
import FobBase
public import SerialIO
import Synchronization
import WireProtocol

/// The bridge's control socket: commands in an emergency, and the present state.
///
/// A request is one JSON object a line; `do` names it: `status`, `presses`, `incidents`,
/// `subscribe`, `disarm` (with `pin`), `cancel`, `silence`, `quit`, `resume`, `acknowledge` (with
/// `contact`), `end` (of an incident that belongs to nobody), `tap` (the bytes of every line, in
/// both directions), `code` (a fresh one-time code for the page), `checkins` (with `view`: all or
/// overview), `complete` (with `series`, `key` and `comment`), `messages` (the five slots),
/// `message` (sends that of a `slot`, once for each `key`), `slot` (with `act`: fill or empty),
/// `exercises` (with `exercise`: one that starts, or stop; and `device`), `affirmations`,
/// `affirmation` (with `act`), `reviews` (of a `week`), `review` (with `id` or `act`), `pair` (a
/// `device`, or the one of a `label`) and `unpair` (of a `device`). Whatever needs the PIN takes
/// `pin`. Each takes `account`, a number: of which account it is, the first's where none is named;
/// not `subscribe`, `tap` and `code`, which are of the whole core.
///
/// `status`, `presses`, `incidents` and `checkins` answer with one page at most. If there is more,
/// the answer has `more`, which the next request passes as `after`: `{"do":"presses",
/// "after":4096}`. Of `status` the keychains and links come in pages; the rest is in each answer.
public final class BridgeControl: Sendable {
  /// The values of `do`.
  public static let requests = [
    "status", "presses", "incidents", "subscribe", "disarm", "cancel", "silence", "quit", "resume",
    "acknowledge", "end", "tap", "code", "checkins", "complete",
    "messages", "message", "slot", "exercises", "affirmations", "affirmation", "reviews", "review",
    "pair", "unpair",
  ]

  private static let ofWholeCore = ["subscribe", "tap", "code"]

  /// A fresh one-time code for the page.
  public struct PageCode: Encodable, Sendable {
    private let ok = true
    /// The page's address with the code behind "#", which no server is sent.
    public let page: String
    /// The code alone, to be typed.
    public let code: String

    /// - Parameters:
    ///   - url: as in http://127.0.0.1:8787
    ///   - code: as a person types it.
    public init(url: String, code: String) {
      page = "\(url)/#code=\(code)"
      self.code = code
    }
  }

  private let bridge: AlertBridge
  private let server: Mutex<ControlServer?>
  private let streams = Mutex<[ControlStream]>([])
  private let codes = Mutex<Codes?>(nil)

  /// As `Watchers.Filter`: no closure is stored by itself.
  private struct Codes {
    let make: @Sendable () -> PageCode
  }

  struct Request: Decodable {
    let `do`: String
    var account: Int?
    var pin: String?
    var contact: String?
    var after: Int64?
    var view: String?
    var series: Int?
    var key: String?
    var comment: String?
    var slot: Int?
    var exercise: String?
    var device: String?
    var label: String?
    var act: String?
    var id: Int?
    var name: String?
    var number: String?
    var message: String?
    var position: Bool?
    var text: String?
    var week: String?
    var incident: String?
    var step: Int?
    var seen: Int?
  }

  /// The first line of a subscription; events follow it.
  private struct Subscribed: Encodable { let ok = true }

  /// Listens at `path`.
  /// - Parameters:
  ///   - path: of the socket.
  ///   - bridge: of the first account.
  /// - Throws: `IOFailure`, EADDRINUSE if a process listens there already.
  public init(path: String, bridge: AlertBridge) throws(IOFailure) {
    self.bridge = bridge
    server = Mutex(nil)
    let server = try ControlServer(path: path) { [unowned self] request, reply in
      answer(request, reply)
    }
    self.server.withLock { $0 = server }
  }

  /// Closes the clients and removes the socket, within a second.
  public func stop() { _ = server.withLock { $0 }?.stop() }

  /// A page is served from now on. Who asks for its code waits while it begins to listen: a page
  /// that answers has one.
  /// - Parameter listen: begins, and gives what makes a fresh code. The control socket may wait.
  public func serve(_ listen: () throws -> @Sendable () -> PageCode) rethrows {
    try codes.withLock { $0 = Codes(make: try listen()) }
  }

  /// Sends an event to every subscriber, and waits for none.
  public func tell(_ event: BridgeEvent) {
    let line = EventJSON(event)
    streams.withLock { streams in
      streams.removeAll { $0.clientHasLeft }
      for stream in streams { stream.send(line) }
    }
  }

  private func answer(_ request: ControlRequest, _ reply: ControlReply) {
    guard let asked = try? request.decode(Request.self) else {
      reply.fail("write one JSON object a line with \"do\", as in {\"do\":\"status\"}")
      return
    }
    switch asked.do {
    case let whole where asked.account != nil && Self.ofWholeCore.contains(whole):
      reply.fail("\(whole) is of the whole core: ask it without an account")
    case "subscribe": subscribe(reply)
    case "tap": bridge.tap.answer(reply)
    case "code":
      guard let codes = codes.withLock({ $0 }) else {
        reply.fail("no page is served here: start it with --listen 127.0.0.1:8787")
        return
      }
      reply.send(codes.make())
    default:
      let number = asked.account ?? AccountNumber.first.rawValue
      guard let account = AccountNumber(number).flatMap({ bridge[$0] }) else {
        reply.fail("there is no account \(number)")
        return
      }
      AccountRequests(bridge: account).answer(asked, reply)
    }
  }

  private func subscribe(_ reply: ControlReply) {
    streams.withLock { streams in
      let stream = reply.stream()
      stream.send(Subscribed())
      streams.append(stream)
    }
  }
}

/// A `BridgeEvent` as one line of JSON: `type`, and its contents under the same name.
public struct EventJSON: Encodable, Sendable {
  private let type: String
  private var happening: AuditEvent?
  /// The account's number; nil: the first.
  private var account: Int?
  private var notice: BridgeEvent.Notice?
  private var stages: PressStages?
  private var led: LED?
  private var located: Located?

  private struct LED: Encodable, Sendable {
    let device: String
    let shown: String
    let sounder: Bool
  }

  private struct Located: Encodable, Sendable {
    let device: String
    /// In 1e-7 degree.
    let latitude: Int32
    let longitude: Int32
    /// none, weak or good.
    let quality: String
  }

  /// Names in the JSON stay as they were released: an audit event is a "happening".
  public init(_ event: BridgeEvent) {
    switch event {
    case .auditEvent(let auditEvent):
      type = "happening"
      happening = auditEvent
    case .otherAuditEvent(let auditEvent, let account):
      type = "happening"
      happening = auditEvent
      self.account = account.rawValue
    case .notice(let notice):
      type = "notice"
      self.notice = notice
    case .stages(let stages):
      type = "stages"
      self.stages = stages
    case .led(let device, let state):
      type = "led"
      led = LED(
        device: device, shown: state.shown.map { "\($0)" } ?? "unknown", sounder: state.sounder)
    case .located(let device, let fix):
      type = "located"
      located = Located(
        device: device, latitude: fix.latitude, longitude: fix.longitude,
        quality: "\(fix.quality)")
    }
  }
}
