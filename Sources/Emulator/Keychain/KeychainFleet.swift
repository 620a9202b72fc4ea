import Control
import FobBase
public import SerialIO
import Synchronization

/// Many emulated keychains in one process, and one control socket for all of them.
///
/// Those that are simulated and whose lines are sockets or memory share one thread: see
/// ``FleetThread``. Each of the others has a thread of its own, as it has alone. On a pty each
/// takes one of the user's inotify instances as well, of which Debian allows 128.
public final class KeychainFleet: Sendable {
  public let keychains: [EmulatedKeychain]
  private let thread: FleetThread?
  private let controlPath: String?
  private let server = Mutex<ControlServer?>(nil)

  /// - Parameters:
  ///   - configurations: at least one; serial numbers, lines and stores differ.
  ///   - controlPath: a control socket (JSON lines), at most 107 bytes. Nil: none. Requests say
  ///     `"serial":N` or `"all":true`; with one keychain neither is needed.
  ///   - isDirect: their lines in memory are ``MemoryLine``s, which only
  ///     ``EmulatedKeychain/endpoint`` lets a host into, and not by name.
  public init(
    _ configurations: [EmulatorConfiguration], controlPath: String? = nil, isDirect: Bool = false
  ) throws(IOFailure) {
    precondition(!configurations.isEmpty, "a fleet has a keychain")
    precondition(
      Set(configurations.map(\.serial)).count == configurations.count,
      "a fleet's keychains are told apart by their serial numbers")
    var keychains: [EmulatedKeychain] = []
    let tap = try LineTap()
    let sharing = isDirect || configurations.count > 1
    let thread = sharing ? try FleetThread(isDirect: isDirect) : nil
    for configuration in configurations {
      let shares = FleetThread.takes(configuration)
      keychains.append(
        try EmulatedKeychain(configuration, tap: tap, on: shares ? thread : nil))
    }
    self.thread = thread
    self.keychains = keychains
    self.controlPath = controlPath
  }

  deinit { stop() }

  /// Returns when every keychain has booted and the socket is there. It starts once.
  /// - Throws: as ``EmulatedKeychain/start()``; those that had started have then been stopped.
  public func start() throws(IOFailure) {
    do throws(IOFailure) {
      for keychain in keychains { try keychain.start() }
      guard let controlPath else { return }
      let control = EmulatorControl(keychains)
      let new = try ControlServer(path: controlPath) { request, reply in
        control.handle(request, reply)
      }
      server.withLock { $0 = new }
    } catch {
      stop()
      throw error
    }
  }

  /// How those that share a thread are served; nil where none does.
  public var pace: FleetPace? { thread?.pace }

  /// - Returns: false if a keychain did not end within its second.
  @discardableResult
  public func stop() -> Bool {
    server.withLock { $0.take() }?.stop()
    let hasEnded = thread?.stop(within: .seconds(1)) ?? true
    return keychains.map { $0.stop() }.allSatisfy(\.self) && hasEnded
  }
}
