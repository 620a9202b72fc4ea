import AlertCore
import Bridge
import FobBase
import SerialIO
import Sinks
import Storage
import TestSupport
import Testing

/// A bridge with its store in a folder of its own, and everything that it tells.
final class BridgeRig {
  static let pin = PIN("2468")!
  static let account = Account(
    name: "Owner",
    contacts: [1, 2].map { n in
      Contact(id: "contact-\(n)", name: "Contact \(n)", address: "contact-\(n)@example.org")
    }, pinHash: pin.hash())

  let folder: ScratchDirectory
  let sinks: [any Sink]
  private let policy: Policy
  private let account: Account
  private let commit: AlertBridge.Commit
  private var running: (bridge: AlertBridge, store: AlertStore, journal: Journal)?
  private let watchers = Watchers()

  /// - Parameter devices: in the folder, by name.
  init(
    _ devices: [String] = ["keychain"], account: Account = BridgeRig.account,
    policy: Policy = Policy(), sinks: [any Sink], in folder: ScratchDirectory? = nil,
    commit: @escaping AlertBridge.Commit = { AlertStore.commit($0) }
  ) throws {
    self.folder = try folder ?? ScratchDirectory()
    self.sinks = sinks
    self.policy = policy
    self.account = account
    self.commit = commit
    try start(devices)
  }

  deinit { stop() }

  var bridge: AlertBridge { running!.bridge }
  var store: AlertStore { running!.store }
  /// Of the present run.
  var journal: Journal { running!.journal }

  func path(_ name: String) -> String { "\(folder.path)/\(name)" }

  func start(_ devices: [String] = ["keychain"]) throws {
    let store = try AlertStore(directory: path("state"))
    let journal = Journal()
    let bridge = try AlertBridge(
      account: account, policy: policy, store: store, sinks: sinks, commit: commit
    ) { [watchers] event in
      watchers.tell(event)
      journal.put(event)
    }
    running = (bridge, store, journal)
    try bridge.start(devices.map { DeviceSpec(pty: path($0)) })
  }

  /// Has everything told to this one as well, in this run and the next.
  func watch(_ watcher: @escaping @Sendable (BridgeEvent) -> Void) { watchers.add(watcher) }

  func stop() {
    running?.bridge.stop()
    running = nil
  }

  /// Performs a user command and waits for its answer.
  func perform(_ userCommand: UserCommand) throws -> Answer {
    try Waiting.answer { bridge.perform(userCommand, answer: $0) }
  }

  func disarm(_ pin: String) throws -> Answer {
    try Waiting.answer { bridge.disarm(pin: pin, answer: $0) }
  }

  func waitFor(
    _ state: EmergencyState, at location: SourceLocation = #_sourceLocation
  ) throws {
    try journal.wait("state \(state)", at: location) { bridge.status.state == state }
  }
}
