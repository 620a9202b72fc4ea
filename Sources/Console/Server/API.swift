import AlertCore
import Bridge
import FobBase
import Foundation
import Hummingbird
import SerialIO
import Synchronization

/// Everything that operations work with.
final class API: Sendable {
  /// Of the first account.
  let core: any Core
  private let accounts: (any CoreAccounts)?
  let hosts: HostRule
  let authorizer: Authorizer
  let sessions: Sessions
  /// Nil: nobody can log in by the page.
  let code: OneTimeCode?
  let links: Links
  /// Mail addresses that visitors have tried.
  let emails = Mutex(CodeAttempts(.emails))
  /// The addresses that a confirmation link was mailed to since the start.
  let confirmationsMailed = Mutex<Set<String>>([])
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
  let changes: ChangeRates
  let erasures: ChangeRates
  /// Hashes PINs, which is slow on purpose.
  let pins: WorkThread
  /// Reads the store.
  let records: WorkThread
  /// Makes lists of check-ins, of which there may be many: the log does not wait for them.
  let lists: WorkThread
  /// Hands mails to the system, which may take long: PINs have another thread.
  let mails: WorkThread
  /// Asks the bench, whose captures and keychains take time.
  let benchWork: WorkThread
  /// The OpenAPI document, made once, since anonymous clients may ask for it.
  let document: Data
  /// Takes what bridges bring, and writes their streams: nobody else keeps a press waiting.
  let feeding: RequestThreads
  /// Answers commands in an emergency.
  let urgent: RequestThreads
  /// Answers all other requests with a token, and writes streams.
  let common: RequestThreads
  let startedAt = BootClock.now()
  private let stopping = Atomic(false)

  /// - Parameter connections: of the server that asks.
  init(
    _ configuration: ConsoleConfiguration, core: any Core, connections: Connections
  ) throws {
    self.core = core
    self.connections = connections
    accounts = configuration.accounts
    isTLS = configuration.tls != nil
    sessions = Sessions(folder: configuration.sessionFolder)
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
    let room = connections.most
    // A quarter of the connections stays free of streams, for requests.
    streams = Streams(
      limit: min(configuration.streamLimit, max(1, room * 3 / 4)),
      limitOfToken: configuration.streamLimitOfToken, patience: configuration.streamPatience,
      heartbeat: configuration.heartbeat)
    changes = ChangeRates(configuration.changeRate)
    erasures = ChangeRates(configuration.erasureRate)
    pins = try WorkThread(name: "pin", limit: ConsoleLimits.waitingForPIN)
    records = try WorkThread(name: "records", limit: ConsoleLimits.waitingForRecords)
    lists = try WorkThread(name: "lists", limit: ConsoleLimits.waitingForLists)
    mails = try WorkThread(name: "account mail", limit: ConsoleLimits.waitingForMail)
    benchWork = try WorkThread(name: "bench work", limit: ConsoleLimits.waitingForBench)
    feeding = try RequestThreads(name: "feeding", threads: 1)
    urgent = try RequestThreads(name: "urgent", threads: 1)
    common = try RequestThreads(name: "requests", threads: ConsoleLimits.commonThreads)
    document = Reply.bytes(of: OpenAPI(.standard).json)
  }

  /// The core of an account; nil: there is no such account.
  func core(of account: AccountNumber) -> (any Core)? {
    account == .first ? core : accounts?.core(of: account)
  }

  /// How many accounts are in each state.
  var accountStates: [EmergencyState: Int] { accounts?.states ?? [core.status.state: 1] }

  /// An account is served nothing but its alarm.
  func isSuspended(_ account: AccountNumber) -> Bool { accounts?.isSuspended(account) ?? false }

  /// The accounts of the core, in order.
  var accountNumbers: [AccountNumber] { accounts?.numbers ?? [.first] }

  /// The account beside the first whose owner has this mail address; nil: none has.
  func account(ofOwner email: String) -> AccountNumber? { accounts?.account(ofOwner: email) }

  /// All accounts, of operations that are about them all; throws where this core
  /// keeps one alone.
  func others() throws(Problem) -> any CoreAccounts {
    guard let accounts else {
      throw Problem(.notFound, "oneAccount", "this core keeps one account alone")
    }
    return accounts
  }

  var isStopping: Bool { stopping.load(ordering: .acquiring) }

  func stop() { stopping.store(true, ordering: .releasing) }

  /// Nil: Swift's pool, which answers anonymous clients: they can ask for little.
  func threads(of operation: Operation, for caller: Caller?) -> RequestThreads? {
    guard caller != nil else { return nil }
    if operation.scope == .feed { return feeding }
    return operation.isUrgent ? urgent : common
  }

  /// Stops the threads, after the last request.
  func end() {
    pins.stop()
    records.stop()
    lists.stop()
    mails.stop()
    benchWork.stop()
    feeding.stop()
    urgent.stop()
    common.stop()
  }
}

/// How many of this process's descriptors connections may use. The rest stays for the store, the
/// notification channels, the control socket and keychains that are plugged in later.
struct DescriptorBudget: Equatable {
  /// RLIMIT_NOFILE.
  let most: Int
  /// Descriptors that are open when the API begins.
  let open: Int

  static var now: DescriptorBudget {
    let (most, open) = DescriptorLimit.now
    return DescriptorBudget(most: most, open: open)
  }

  /// A quarter, and at least as many as eight keychains, four messages and a few clients need.
  private var kept: Int { max(128, most / 4) }

  /// At least eight: if there are no descriptors even for these, accepting fails with an error.
  var connections: Int { min(ConsoleLimits.connections, max(8, most - open - kept)) }
}
