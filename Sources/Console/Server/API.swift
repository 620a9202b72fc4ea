import Bridge
import FobBase
import Foundation
import Hummingbird
import SerialIO
import Synchronization

/// What the operations work with.
final class API: Sendable {
  let core: any Core
  let hosts: HostRule
  let authorizer: Authorizer
  let sessions: Sessions
  /// Nil: nobody can come in by the page.
  let code: OneTimeCode?
  let links: Links
  let mail: AlertBridge.Mail?
  let publicURL: String?
  let mailsLeadBack: Bool
  let feed: FeedServer?
  let workbench: (any Workbench)?
  let isTLS: Bool
  let metrics = Metrics()
  let storageHealth = StorageHealth()
  let connections: Connections
  let streams: Streams
  /// Hashes PINs: slow on purpose.
  let pins: WorkThread
  /// Reads the store.
  let records: WorkThread
  /// Hands mails to the system, which may take long: no PIN waits behind one.
  let mails: WorkThread
  /// Asks the bench, where captures and keychains take their time.
  let benchWork: WorkThread
  /// OpenAPI, made once: who asks for it needs no token.
  let document: Data
  /// Answers presses, and what people do about an alarm.
  let urgent: RequestThreads
  /// Answers all else that is asked with a token, and tells streams.
  let common: RequestThreads
  private let stopping = Atomic(false)

  init(_ configuration: ConsoleConfiguration, core: any Core) throws {
    self.core = core
    isTLS = configuration.tls != nil
    sessions = Sessions()
    hosts = HostRule(configuration.names)
    authorizer = Authorizer(
      tokens: configuration.tokens, sessions: sessions, isTLS: isTLS,
      notices: TokenNotices(configuration.notice))
    code = configuration.code
    links = configuration.links
    mail = configuration.mail
    publicURL = configuration.publicURL
    mailsLeadBack = configuration.mailsLeadBack
    feed = configuration.feed
    workbench = configuration.workbench
    let room = configuration.connectionLimit ?? DescriptorBudget.now.connections
    connections = Connections(most: room)
    // Whoever may watch leaves room for those who have something to say.
    streams = Streams(
      limit: min(configuration.streamLimit, max(1, room * 3 / 4)),
      limitOfToken: configuration.streamLimitOfToken, patience: configuration.streamPatience,
      heartbeat: configuration.heartbeat)
    pins = try WorkThread(name: "pin", limit: ConsoleLimits.waitingForPIN)
    records = try WorkThread(name: "records", limit: ConsoleLimits.waitingForRecords)
    mails = try WorkThread(name: "account mail", limit: ConsoleLimits.waitingForMail)
    benchWork = try WorkThread(name: "bench work", limit: ConsoleLimits.waitingForBench)
    urgent = try RequestThreads(name: "urgent", threads: 1)
    common = try RequestThreads(name: "requests", threads: ConsoleLimits.commonThreads)
    document = Reply.bytes(of: OpenAPI(.standard).json)
  }

  var isStopping: Bool { stopping.load(ordering: .acquiring) }

  func stop() { stopping.store(true, ordering: .releasing) }

  /// Nil: Swift's pool. It answers those who have shown no token: little can be asked without one.
  func threads(of operation: Operation, for caller: Caller?) -> RequestThreads? {
    guard caller != nil else { return nil }
    return operation.isUrgent ? urgent : common
  }

  /// After the last request.
  func end() {
    pins.stop()
    records.stop()
    mails.stop()
    benchWork.stop()
    urgent.stop()
    common.stop()
  }
}

/// How many of this process's descriptors connections may take. The store, the notification
/// channels, the control socket and keychains that are plugged in later find theirs, whoever
/// connects.
struct DescriptorBudget: Equatable {
  /// RLIMIT_NOFILE.
  let most: Int
  /// Those that are open when the API begins.
  let open: Int

  static var now: DescriptorBudget {
    let (most, open) = DescriptorLimit.now
    return DescriptorBudget(most: most, open: open)
  }

  /// A quarter, and no fewer than eight keychains, four messages and a few clients need.
  private var kept: Int { max(128, most / 4) }

  /// At least a few: where there are no descriptors for these, either, openings fail, and say so.
  var connections: Int { min(ConsoleLimits.connections, max(8, most - open - kept)) }
}
