import Control
import FobBase
public import SerialIO
import Synchronization

/// Many emulated keychains in one process, and one control socket for all of them.
///
/// Simulated keychains on sockets or in memory share one thread; see ``FleetThread``. Each of the
/// others has a thread of its own. Each keychain on a pty takes one of the user's inotify
/// instances, of which Debian allows 128.
public final class KeychainFleet: Sendable {
  /// In the order of the configurations.
  public let keychains: [EmulatedKeychain]
  private let thread: FleetThread?
  private let controlPath: String?
  private let server = Mutex<ControlServer?>(nil)

  /// - Parameters:
  ///   - configurations: at least one; serial numbers, lines and stores differ.
  ///   - controlPath: a control socket (JSON lines), at most 107 bytes. Nil: none. Requests say
  ///     `"serial":N` or `"all":true`; with one keychain neither is needed.
  ///   - isDirect: whether lines in memory are ``MemoryLine``s. A host reaches those only by
  ///     ``EmulatedKeychain/endpoint``, not by name.
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

  /// Starts the fleet, once. Returns when every keychain has booted and the control socket listens.
  /// - Throws: as ``EmulatedKeychain/start()``; those that had started have then been stopped.
  public func start() throws(IOFailure) {
    do throws(IOFailure) {
      guard let controlPath else {
        for keychain in keychains { try keychain.start() }
        return
      }
      // First, so that the links of a fleet that has the socket already stay as they are.
      let listener = try UnixListener(path: controlPath)
      for keychain in keychains { try keychain.start() }
      let control = EmulatorControl(keychains)
      let new = try ControlServer(at: listener) { request, reply in
        control.handle(request, reply)
      }
      server.withLock { $0 = new }
    } catch {
      stop()
      throw error
    }
  }

  /// How late the shared thread serves its keychains; nil where there is none.
  public var pace: FleetPace? { thread?.pace }

  /// Ends the control socket and all keychains.
  /// - Returns: false if a keychain did not end within its second.
  @discardableResult
  public func stop() -> Bool {
    server.withLock { $0.take() }?.stop()
    let hasEnded = thread?.stop(within: .seconds(1)) ?? true
    return keychains.map { $0.stop() }.allSatisfy(\.self) && hasEnded
  }
}
