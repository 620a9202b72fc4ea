import AlertCore
import Bridge
import FobBase
import Foundation
import SerialIO
import Storage
import TestSupport
import Testing

@testable import Console

/// Which reminders the owner gets, by the API on a real bridge and a real store (R85).
@Suite final class LiveReminderTests {
  private let folder: ScratchDirectory
  private let store: AlertStore
  private let bridge: AlertBridge

  init() throws {
    folder = try ScratchDirectory()
    store = try AlertStore(directory: folder.path("state"))
    bridge = try AlertBridge(account: BenchCore.owner, store: store, sinks: []) { _ in }
    try bridge.start([])
  }

  deinit { bridge.stop() }

  private static let path = "/v1/notifications"
  private static let chosen =
    #"{"affirmations":false,"checkIns":true,"mails":true,"quotes":true,"review":false,"#
    + #""time":"23:59","tips":true}"#

  private func run(_ body: (Rig) async throws -> Void) async throws {
    let rig = try await Rig(on: LiveCore(bridge: bridge, store: store))
    do {
      try await body(rig)
    } catch {
      await rig.server.stop()
      throw error
    }
    await rig.server.stop()
  }

  @Test func `R85: each kind is switched by itself, without the PIN, and read back as it was set`()
    async throws
  {
    try await run { rig in
      let first: JSONValue = try await rig.ask("GET", Self.path).json()
      #expect(first["checkIns"] == true && first["tips"] == false && first["time"] == "09:00")
      #expect(try await rig.ask("PUT", Self.path, json: Self.chosen).status == 200)
      let set: JSONValue = try await rig.ask("GET", Self.path).json()
      #expect(set["time"] == "23:59" && set["tips"] == true && set["review"] == false)
      let stored = try store.load().reminders.settings
      #expect(stored == bridge.reminderSettings && stored.minute == 24 * 60 - 1)
    }
  }

  @Test func `R85: a time that is none, or a kind that is missing, changes nothing`() async throws {
    try await run { rig in
      for (wrong, right) in [("23:59", "24:00"), ("23:59", "9:00"), (#""tips":true"#, #""x":1"#)] {
        let json = Self.chosen.replacing(wrong, with: right)
        let answer = try await rig.ask("PUT", Self.path, json: json)
        #expect(answer.status == 422, "\(wrong)")
      }
      #expect(bridge.reminderSettings == ReminderSettings())
    }
  }
}
