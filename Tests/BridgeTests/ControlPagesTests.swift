import Bridge
import Control
import FobBase
import Foundation
import Storage
import TestSupport
import Testing
import WireProtocol

@testable import AlertCore

/// Lists that are longer than an answer may be.
@Suite final class ControlPagesTests {
  private let folder: ScratchDirectory
  private let bridgeRig: BridgeRig
  private let control: BridgeControl
  private let client: ControlClient

  private struct Reply: Decodable {
    let ok: Bool
    let rows: [StoredPress]
    var more: Int64?
  }

  init() throws {
    folder = try ScratchDirectory()
    bridgeRig = try BridgeRig([], sinks: [try RecordingSink()], in: folder)
    control = try BridgeControl(
      path: folder.path + "/control", bridge: bridgeRig.bridge)
    client = try ControlClient(path: folder.path + "/control")
  }

  deinit { control.stop() }

  @Test func `twenty thousand presses are asked for in pages, and the first answers anyone`()
    throws
  {
    var changes = Changes()
    changes.events = (1...20_000).map { n in
      HeardEvent(.press(UInt32(n)), at: .zero, happenedAt: nil, meaning: .noted)
    }
    try bridgeRig.store.commit(changes)
    var rows: [StoredPress] = []
    var question = #"{"do":"presses"}"#
    while true {
      let line = try client.request(question)
      #expect(line.utf8.count < ControlLimits.maxAnswerSize)
      let reply = try JSONDecoder().decode(Reply.self, from: Data(line.utf8))
      #expect(reply.ok)
      rows += reply.rows
      guard let more = reply.more else { break }
      question = #"{"after":\#(more),"do":"presses"}"#
    }
    #expect(rows.count == 20_000)
    #expect(try rows == bridgeRig.store.presses())
  }
}
