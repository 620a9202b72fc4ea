import Console
import FobBase
import Glibc
import SerialIO
import Storage
import Synchronization

/// A core that stands by: another one has the store, and this one takes it once that is dead.
/// Meanwhile it answers who leads.
final class Standby {
  /// Ctrl-C or SIGTERM came.
  struct Ended: Error {}

  private static let every = Interval.milliseconds(500)
  /// The server may keep a question for so long.
  private static let silentAfter = Interval.seconds(40)

  private let listen: ListenOptions
  private let folder: String
  /// As `Termination.descriptor`.
  private let termination: Int32
  private let timeline: Timeline
  /// Goes over to the core's own server.
  private(set) var server: StandbyServer?
  private var watchdog: ServiceWatchdog?
  /// What was told last; nil: nothing was.
  private var news: String?
  private let look = Look()

  /// When the store was last looked at, for the watchdog's thread.
  private final class Look: Sendable {
    let at = Mutex(BootClock.now())
  }

  init(
    _ listen: ListenOptions, folder: String, until termination: Int32, _ timeline: Timeline
  ) {
    self.listen = listen
    self.folder = folder
    self.termination = termination
    self.timeline = timeline
  }

  /// Waits for half a second.
  /// - Parameter leader: as `AlertStore.StandsBy` has it.
  /// - Throws: `Ended`; `Failure` where it cannot listen.
  func wait(_ leader: String?) throws {
    if news == nil { try begin() }
    let news = "this core stands by: \(Self.clause(leader))"
    if self.news != news {
      self.news = news
      server?.tell(news)
      timeline.tell("standby", leader ?? "", news, by: "core")
      Terminal.flush()
    }
    let now = BootClock.now()
    look.at.withLock { $0 = now }
    if try Syscall.poll(termination, for: POLLIN, until: now + Self.every) != 0 { throw Ended() }
  }

  private static func clause(_ leader: String?) -> String {
    guard let leader else { return "the server of the store does not answer" }
    return leader.isEmpty ? "another core leads" : "\(leader) leads"
  }

  /// The store is this core's from now on.
  func lead() {
    guard news != nil else { return }
    timeline.tell("leading", "", "this core leads from now on", by: "core")
    Terminal.flush()
  }

  /// This core leads from now on, or ends.
  func end() {
    watchdog?.stop()
    watchdog = nil
  }

  private func begin() throws {
    if let configuration = try listen.configuration(folder: folder) {
      try APIServer.requireFree(configuration.address)
      let server = try StandbyServer(configuration)
      try APIServer.wait { try await server.start() }
      self.server = server
    }
    watchdog = try ServiceLiveness.start { [look] _ in
      BootClock.now() - look.at.withLock { $0 } < Self.silentAfter
        ? nil : "the server of the store keeps the question who leads"
    }
    try SystemdNotifier.notify()
  }
}
