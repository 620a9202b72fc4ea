import Bridge
import FobBase
import Hummingbird
import Synchronization

/// What the operations work with.
final class API: Sendable {
  let core: any Core
  let gatekeeper: Gatekeeper
  let sessions: Sessions
  /// Nil: nobody can come in by the page.
  let code: OneTimeCode?
  let links: Links
  let mail: AlertBridge.Mail?
  let publicURL: String?
  let mailsLeadBack: Bool
  let feed: FeedDesk?
  let workbench: (any Workbench)?
  let isTLS: Bool
  let metrics = Metrics()
  let streams: Streams
  /// Hashes PINs: slow on purpose.
  let pins: WorkThread
  /// Reads the store.
  let records: WorkThread
  /// Hands mails to the system, which may take long: no PIN waits behind one.
  let mails: WorkThread
  /// Asks the bench, where captures and keychains take their time.
  let benchWork: WorkThread
  let document: JSONValue
  private let stopping = Atomic(false)

  init(_ configuration: ConsoleConfiguration, core: any Core) throws {
    self.core = core
    isTLS = configuration.tls != nil
    sessions = Sessions()
    var hosts = configuration.hosts
    if !configuration.address.isWildcard { hosts.append(configuration.address.host) }
    gatekeeper = Gatekeeper(
      tokens: configuration.tokens, sessions: sessions, hosts: HostRule(hosts), isTLS: isTLS)
    code = configuration.code
    links = configuration.links
    mail = configuration.mail
    publicURL = configuration.publicURL
    mailsLeadBack = configuration.mailsLeadBack
    feed = configuration.feed
    workbench = configuration.workbench
    streams = Streams(
      limit: configuration.streamLimit, patience: configuration.streamPatience,
      heartbeat: configuration.heartbeat)
    pins = try WorkThread(name: "pin", limit: ConsoleLimits.waitingForPIN)
    records = try WorkThread(name: "records", limit: ConsoleLimits.waitingForRecords)
    mails = try WorkThread(name: "account mail", limit: ConsoleLimits.waitingForMail)
    benchWork = try WorkThread(name: "bench work", limit: ConsoleLimits.waitingForBench)
    document = OpenAPI(.standard).json
  }

  var isStopping: Bool { stopping.load(ordering: .acquiring) }

  func stop() { stopping.store(true, ordering: .releasing) }

  /// After the last request.
  func end() {
    pins.stop()
    records.stop()
    mails.stop()
    benchWork.stop()
  }
}
