import Emulator
import FobBase
import Foundation
import Glibc
import SerialIO
import Synchronization
import TestSupport
import Testing

@testable import Conformance

/// The same cases in real time: emulators on ptys, each moved through its control socket. The time
/// of the cases is spent waiting, so many keychains share it.
struct PtyTests {
  private static let keychains = 12

  /// One emulator and its share of the cases.
  private static func run(
    _ share: [ConformanceCase], number: Int, in directory: String
  ) throws -> [CaseOutcome] {
    let line = DeviceSpec(pty: "\(directory)/\(number)")
    let control = "\(directory)/\(number).sock"
    let keychain = try EmulatedKeychain(
      EmulatorConfiguration(
        serial: UInt32(number), line: line, controlPath: control, batteryPercent: 87))
    try keychain.start()
    defer { keychain.stop() }
    let actuator = try ControlActuator(path: control, serial: UInt32(number))
    // Twelve keychains on as few as two processors, beside other tests.
    let rig = try LineRig(line, actuator: actuator, slack: .milliseconds(300))
    return ConformanceRun(on: rig, seed: UInt64(number)).run(share)
  }

  @Test func `emulators on ptys pass every case that does not take long`() throws {
    let directory = try ScratchDirectory()
    let cases = Suite.cases.filter { !$0.isLong }
    let outcomes = Mutex<[CaseOutcome]>([])
    let gates = try (1...Self.keychains).map { number in
      let share = cases.enumerated().filter { $0.offset % Self.keychains == number - 1 }
        .map(\.element)
      let gate = try OneShot<String?>()
      let path = directory.path
      let thread = try BlockingThread(name: "conform") {
        do {
          let new = try Self.run(share, number: number, in: path)
          outcomes.withLock { $0 += new }
          gate.open(with: nil)
        } catch {
          gate.open(with: "\(error)")
        }
      }
      return (gate, thread)
    }
    for (gate, _) in gates {
      let trouble = try gate.pass()
      #expect(trouble == nil)
    }
    let all = outcomes.withLock { $0 }
    #expect(all.count == cases.count)
    for outcome in all where outcome.isFailed {
      Issue.record("\(outcome.tested.id): \(outcome.reason ?? "")")
    }
    let untested = Set(all.filter { $0.word == "not tested" }.map(\.tested.id))
    #expect(untested == ["button/bounce", "button/first-edge"])
  }

  @Test func `a line on which nobody answers fails at once, in plain words`() throws {
    let directory = try ScratchDirectory()
    let path = "\(directory.path)/dumb.sock"
    let listener = try UnixListener(path: path)
    let rig = try LineRig(try DeviceSpec("unix:\(path)"), actuator: NoActuator())
    let began = BootClock.now()
    let outcomes = ConformanceRun(on: rig, seed: 1).run(Suite.cases)
    #expect(outcomes[0].isSilent)
    #expect(outcomes[0].reason?.contains("says nothing") == true)
    #expect(outcomes.dropFirst().allSatisfy { $0.word == "not run" })
    #expect(BootClock.now() - began < .seconds(6))
    withExtendedLifetime(listener.descriptor) {}
  }

  @Test func `a line that is not there cannot be opened, and says so`() throws {
    #expect(throws: IOFailure.self) {
      _ = try LineRig(DeviceSpec(pty: "/nowhere/at/all"), actuator: NoActuator())
    }
  }

  /// A pty takes a BREAK, and its other end sees nothing of it.
  @Test func `where --break-resets says so, a BREAK stands for the reset pin`() throws {
    let directory = try ScratchDirectory()
    let keychain = try EmulatedKeychain(
      EmulatorConfiguration(line: DeviceSpec(pty: directory.path("keychain"))))
    try keychain.start()
    defer { keychain.stop() }
    let line = DeviceSpec(pty: directory.path("keychain"))
    do {
      // One host at a time: let go of at the end of this block.
      let plain = try LineRig(line, actuator: NoActuator())
      #expect(plain.obstacle(to: .reset) != nil)
      #expect(throws: RigFailure.self) { try plain.perform(.reset) }
    }
    let rig = try LineRig(line, actuator: NoActuator(), breakResets: true)
    #expect(rig.obstacle(to: .reset) == nil && rig.obstacle(to: .powerCut) != nil)
    try rig.perform(.reset)
  }

  @Test func `a line that is no terminal takes no BREAK`() throws {
    let directory = try ScratchDirectory()
    let path = directory.path("keychain.sock")
    let listener = try UnixListener(path: path)
    let rig = try LineRig(
      try DeviceSpec("unix:\(path)"), actuator: NoActuator(), breakResets: true)
    let failure = #expect(throws: IOFailure.self) { try rig.perform(.reset) }
    #expect(failure?.errno == ENOTTY)
    withExtendedLifetime(listener.descriptor) {}
  }
}
