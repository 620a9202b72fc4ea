import AlertCore
import Control
import FobBase
import Glibc
import SerialIO
import Synchronization
import Transport
import WireProtocol

/// The devices of a bridge, by their link numbers, and the objects that their sessions share.
final class DeviceRegistry: Sendable {
  private struct State {
    /// Sessions are only added, at the end.
    var sessions: [DeviceSession] = []
    var finder: KeychainFinder?
    var isClosed = false
    /// Reaches devices whose lines are in another process.
    var outlet: (any RemoteOutput)?
  }

  private let state = Mutex(State())
  private let greeting = Mutex<Greeting?>(nil)
  let events: EventPublisher
  let stages = StageRecorder()
  let tap: LineTap
  /// Settings of the lines and their reader threads.
  let tuning: LineTuning
  /// Nil at a bridge without a core: it holds no key.
  let keyring: Keyring?
  /// The core is on another host.
  var isRelay: Bool { keyring == nil }

  init(
    _ tuning: LineTuning, _ events: EventPublisher, keyring: Keyring? = nil
  ) throws(IOFailure) {
    self.tuning = tuning
    self.keyring = keyring
    self.events = events
    tap = try LineTap()
  }

  /// Adds a device on its own link.
  /// - Returns: nil if the bridge is stopping.
  func add(_ spec: DeviceSpec, _ core: any CoreEndpoint) -> DeviceSession? {
    state.withLock { state in
      guard !state.isClosed else { return nil }
      let session = DeviceSession(LinkID(rawValue: state.sessions.count), spec, core, self)
      state.sessions.append(session)
      return session
    }
  }

  /// Adds every keychain that is plugged in, now or later, once each.
  func find(
    _ match: KeychainMatch, add: @escaping @Sendable (DeviceSpec) throws -> Void
  ) throws(IOFailure) {
    let finder = try KeychainFinder()
    let discovered = DiscoveredDevices(match, serving: all.map(\.spec), limit: Limits.devices)
    try finder.start(discovered) { [weak self] effect in
      switch effect {
      case .ask(let device): finder.ask(device)
      case .notice(let level, let text): self?.events.notice(level, text)
      case .serve(let spec):
        do {
          try add(spec)
        } catch {
          self?.events.notice(.error, "\(spec) is not used: \(error)")
        }
      }
    }
    state.withLock { $0.finder = finder }
  }

  func stop() {
    let (finder, sessions) = state.withLock { state in
      state.isClosed = true
      return (state.finder.take(), state.sessions)
    }
    finder?.stop()
    for session in sessions { session.stop() }
  }

  var all: [DeviceSession] { state.withLock { $0.sessions } }

  private subscript(link: LinkID) -> DeviceSession? {
    state.withLock {
      $0.sessions.indices.contains(link.rawValue) ? $0.sessions[link.rawValue] : nil
    }
  }

  /// The lines of this process as they are now, in the order in which they were added.
  var lines: [LineState] { all.map(\.place) }

  /// Set once, before a remote device is linked.
  var outlet: (any RemoteOutput)? {
    get { state.withLock { $0.outlet } }
    set { state.withLock { $0.outlet = newValue } }
  }

  /// As `AlertBridge.beforeLink`.
  func greet(by body: @escaping @Sendable (String) -> Void) {
    greeting.withLock { $0 = Greeting(body: body) }
  }

  /// A keychain is about to be linked, or its press has come before.
  func greet(_ device: DeviceID) { greeting.withLock { $0 }?.body(device.text) }

  /// As `Watchers.Filter`: no closure is stored by itself.
  private struct Greeting {
    let body: @Sendable (String) -> Void
  }

  // MARK: Effects

  func acknowledge(_ ack: EventAck, on link: LinkID) {
    if let session = self[link] {
      session.acknowledge(ack)
    } else {
      outlet?.acknowledge(ack, on: link)
    }
  }

  /// Puts a frame of a core on another host on a line of this bridge.
  func relay(_ frame: RelayedFrame, on link: LinkID) { self[link]?.relay(frame) }

  /// - Parameters:
  ///   - indication: nil: the present state is unknown.
  ///   - links: nil: all links.
  func indicate(_ indication: Indication?, to links: [LinkID]?) {
    // A link is found by its number; all sessions are visited only for an indication to all.
    if let links {
      for link in links { self[link]?.indicate(indication) }
    } else {
      for session in all { session.indicate(indication) }
    }
    if let indication { outlet?.indicate(indication, to: links) }
  }

  /// Hands over the lines of keychains that may have another owner now.
  func renewOwners(of devices: Set<DeviceID>) {
    for session in all {
      if let device = session.device, devices.contains(device) { session.owner.renew() }
    }
    outlet?.renewOwners()
  }

  // MARK: Signs of life

  /// - Returns: nil if the reader of each open line takes a turn by the deadline; otherwise which
  ///   one is silent.
  func silentReader(by deadline: Instant) -> String? {
    let asked = all.map { ($0, $0.askForTurn()) }
    for (session, turns) in asked {
      guard let turns else { continue }
      while session.isOpen, session.turns == turns {
        guard BootClock.now() < deadline else {
          return "the reader of \(session.spec) does not answer"
        }
        var nothing = pollfd()
        _ = try? Syscall.poll(&nothing, count: 0, until: BootClock.now() + .milliseconds(2))
      }
    }
    return nil
  }
}
