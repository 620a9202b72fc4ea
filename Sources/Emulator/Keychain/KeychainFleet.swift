import Control
import FobBase
public import SerialIO
import Synchronization

/// Many emulated keychains in one process, and one control socket for all of them.
///
/// Each has a thread of its own, as it has alone. Three hundred without a host cost 45 MB of memory
/// in all, five descriptors each (a sixth for its host), and an eighth of one processor in a debug
/// build. On a pty each takes one of the user's inotify instances as well, of which Debian allows
/// 128.
public final class KeychainFleet: Sendable {
  public let keychains: [EmulatedKeychain]
  private let controlPath: String?
  private let server = Mutex<ControlServer?>(nil)

  /// - Parameters:
  ///   - configurations: at least one; serial numbers, lines and stores differ.
  ///   - controlPath: a control socket (JSON lines), at most 107 bytes. Nil: none. Requests say
  ///     `"serial":N` or `"all":true`; with one keychain neither is needed.
  public init(
    _ configurations: [EmulatorConfiguration], controlPath: String? = nil
  ) throws(IOFailure) {
    precondition(!configurations.isEmpty, "a fleet has a keychain")
    precondition(
      Set(configurations.map(\.serial)).count == configurations.count,
      "a fleet's keychains are told apart by their serial numbers")
    var keychains: [EmulatedKeychain] = []
    let tap = try LineTap()
    for configuration in configurations {
      keychains.append(try EmulatedKeychain(configuration, tap: tap))
    }
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

  /// - Returns: false if a keychain did not end within its second.
  @discardableResult
  public func stop() -> Bool {
    server.withLock { $0.take() }?.stop()
    return keychains.map { $0.stop() }.allSatisfy(\.self)
  }
}
