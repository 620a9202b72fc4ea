import AlertCore
import Bridge
import Console
import FobBase
import Foundation
import SerialIO
import Storage
import TestSupport
import Testing

/// A tool that others have made, on a live core: it reads the document and tries all that it
/// allows, and what it does not.
struct SchemathesisTests {
  @Test func `no request leads to a server error, or to an answer that is not documented`()
    async throws
  {
    let folder = try ScratchDirectory()
    let store = try AlertStore(directory: folder.path("state"))
    let bridge = try AlertBridge(account: .none, store: store, sinks: []) { _ in }
    try bridge.start([])
    let feedServer = try FeedServer(bridge)
    let rig = try await Rig(on: LiveCore(bridge: bridge, store: store)) {
      $0.feed = feedServer
      $0.workbench = StandInWorkbench()
      // It asks as no person does.
      $0.changeRate = RateLimit(burst: .max, every: .seconds(1), longest: .seconds(1))
      $0.erasureRate = $0.changeRate
    }
    let (port, token) = (rig.port, rig.token[.administer]!)
    let began = BootClock.now()
    let (status, output) = try await blocking {
      let process = Process()
      process.executableURL = Repository.root.appending(path: "scripts/schemathesis.sh")
      process.environment = ProcessInfo.processInfo.environment.merging(
        ["FOB_URL": "http://127.0.0.1:\(port)", "FOB_TOKEN": token]) { $1 }
      let pipe = Pipe()
      process.standardOutput = pipe
      process.standardError = pipe
      try process.run()
      let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
      process.waitUntilExit()
      return (process.terminationStatus, String(decoding: output, as: UTF8.self))
    }
    feedServer.stop()
    await rig.server.stop()
    bridge.stop()
    #expect(status == 0, "\(output.suffix(6_000))")
    let seconds = (BootClock.now() - began).microseconds / 1_000_000
    let summary = output.split(separator: "\n").last { $0.contains("generated,") } ?? ""
    print("schemathesis: \(seconds) s;\(summary)")
  }
}
