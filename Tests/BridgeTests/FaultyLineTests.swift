import AlertCore
import Bridge
import Emulator
import FobBase
import Storage
import TestSupport
import Testing
import WireProtocol

/// The real firmware and the whole bridge over a bad line, on threads and a pty.
@Suite struct FaultyLineTests {
  static let mixtures: [[WireFault.Kind]] =
    WireFault.Kind.allCases.map { [$0] } + [WireFault.Kind.allCases]

  @Test(arguments: mixtures)
  func `twenty presses over a line with faults are twenty entries`(
    _ kinds: [WireFault.Kind]
  ) throws {
    let folder = try ScratchDirectory()
    let keychain = try EmulatedKeychain.started(in: folder)
    defer { keychain.stop() }
    let told = Gathered<EmulatorEvent>()
    let subscription = try #require(keychain.subscribe { told.put($0) })
    defer { subscription.cancel() }
    let rate = 0.01 / Double(kinds.count)
    for (index, kind) in kinds.enumerated() {
      let fault = WireFault(kind, .rate(rate), seed: UInt64(index + 1), pause: .milliseconds(20))
      #expect(try keychain.perform(.fault(fault)) == .done)
    }
    let bridgeRig = try BridgeRig(sinks: [try RecordingSink()], in: folder)
    let numbers = try (0..<20).map { _ in try keychain.press() }
    // Each try is lost with more than half a chance, and the pauses between them grow to 2 s.
    for number in numbers {
      #expect(try keychain.perform(.wait(.acked(number), within: .seconds(100))) == .done)
    }
    let state = try keychain.state()
    #expect(state.faults?.count == 2 * kinds.count)
    #expect(state.struck?.values.reduce(0, +) ?? 0 > 0, "the faults were in force")
    #expect(try bridgeRig.store.presses().map(\.event).sorted() == numbers.map(\.text).sorted())
    #expect(bridgeRig.journal.count(.incidentOpened) == 1)
    #expect(try keychain.perform(.clearFaults) == .done)
    // The light itself: what the keychain says of it may have been lost, and is said once.
    try told.wait("the light says accepted") { try keychain.state().shown == "accepted" }
  }
}
