import AlertCore
import FobBase
import SerialIO
import Sinks
import TestSupport
import Testing
import WireProtocol

@testable import Bridge
@testable import Storage

/// A core that nobody reaches.
private struct DeafCore: CoreClient {
  let place = "nowhere"

  func post(
    _ path: String, _ body: [UInt8], within: Interval,
    answer: @escaping @Sendable (RemoteCore.Outcome) -> Void
  ) {}

  func stream(
    _ path: String, onEvent: @escaping @Sendable (ServerEvent) -> Void,
    onEnd: @escaping @Sendable (RemoteCoreFailure) -> Void
  ) {}

  func endStream() {}
  func close() {}
}

/// What a watchdog is told: whether a press could be taken now.
@Suite struct LivenessProbeTests {
  private static let patience = Interval.seconds(30)

  @Test func `a bridge that can take a press says so, with its lines open`() throws {
    let folder = try ScratchDirectory()
    let device = try RawDevice(in: folder)
    let bridgeRig = try BridgeRig(sinks: [try RecordingSink()], in: folder)
    try device.say(EventRecord.press(1))
    try bridgeRig.journal.wait(.event, 1)
    for _ in 1...3 { #expect(bridgeRig.bridge.obstacleToPress(within: Self.patience) == nil) }
    withExtendedLifetime(device) {}
  }

  @Test func `a commit that hangs is no life, and when it goes on there is life again`() throws {
    let folder = try ScratchDirectory()
    let gate = try OneShot<Void>()
    let began = try Waiting<Bool>()
    let device = try RawDevice(in: folder)
    let bridge = try AlertBridge(
      account: BridgeRig.account, store: try AlertStore(directory: folder.path("state")),
      sinks: [],
      commit: { batches in
        began.put(true)
        // Open from then on.
        try? gate.pass()
        return AlertStore.commit(batches)
      }, watcher: { _ in })
    defer { bridge.stop() }
    try bridge.start([DeviceSpec(pty: folder.path("keychain"))])
    try device.say(EventRecord.press(1))
    #expect(try began.get())
    for _ in 1...2 {
      #expect(
        bridge.obstacleToPress(within: .milliseconds(50)) == "the commit thread does not answer")
    }
    gate.open(with: ())
    #expect(bridge.obstacleToPress(within: Self.patience) == nil)
  }

  @Test func `a commit that waits for its server is life: no new start would help`() throws {
    let folder = try ScratchDirectory()
    let cluster = try PostgresCluster.common()
    defer { withExtendedLifetime(cluster) {} }
    let server = try PostgresServer(cluster.database())
    let store = try AlertStore(on: server, directory: folder.path("state"))
    let other = try server.connect()
    func ask(_ sql: String) throws -> [StoredRow] {
      try PostgresSnapshot(connection: other).rows(sql)
    }
    _ = try ask("BEGIN")
    _ = try ask("LOCK TABLE log IN EXCLUSIVE MODE")
    let ended = try OneShot<Void>()
    let device = try RawDevice(in: folder)
    let bridge = try AlertBridge(
      account: BridgeRig.account, store: store, sinks: [],
      commit: { batches in
        defer { ended.open(with: ()) }
        return AlertStore.commit(batches)
      }, watcher: { _ in })
    defer { bridge.stop() }
    try bridge.start([DeviceSpec(pty: folder.path("keychain"))])
    try device.say(EventRecord.press(1))
    let deadline = BootClock.now() + Self.patience
    while try ask("SELECT 1 FROM pg_locks WHERE NOT granted").isEmpty {
      try #require(BootClock.now() < deadline)
    }
    for _ in 1...3 { #expect(bridge.obstacleToPress(within: .milliseconds(500)) == nil) }
    #expect(store.awaitsServer, "the commit still waits")
    _ = try ask("ROLLBACK")
    try ended.pass()
    #expect(bridge.obstacleToPress(within: Self.patience) == nil)
  }

  @Test func `a remote bridge shows life while its core cannot be reached`() throws {
    let bridge = try RemoteBridge(by: DeafCore(), watcher: { _ in })
    defer { bridge.stop() }
    try bridge.start([])
    for _ in 1...3 { #expect(bridge.obstacleToPress(within: Self.patience) == nil) }
  }
}
