import ArgumentParser
import Conformance
import FobBase
import Foundation
import Glibc
import SerialIO

/// The rig of one `fob conform`, what it tells while it runs, and the files that it leaves.
final class ConformBench {
  private let rig: any Rig
  private let actuator: ActuatorSpec
  private let seed: UInt64
  /// Of a repetition.
  private let options: [String]
  /// Why a capture could not be written.
  private(set) var lostCapture: Failure?

  init(
    _ spec: String, actuator: ActuatorSpec?, slack: Interval, clockSlack: Interval,
    breakResets: Bool = false, seed: UInt64?
  ) throws {
    if spec == ConformCommand.memory {
      rig = MemoryRig()
      self.actuator = .none
      options = []
      self.seed = seed ?? 1
      return
    }
    options =
      [("--slack", slack), ("--clock-slack", clockSlack)].flatMap { name, interval in
        [name, "\(interval.microseconds / 1_000)"]
      } + (breakResets ? ["--break-resets"] : [])
    let line = try DeviceSpec(spec)
    if breakResets, case .pty = line.kind {
      Terminal.line(
        "a pty carries no BREAK: cases of reboots will fail, whatever the keychain does")
    }
    let found = actuator == nil ? Self.emulator(of: line) : nil
    let chosen = actuator ?? found.map { .control(path: $0.path) } ?? .none
    if let found { Terminal.line("the emulator's control socket is \(found.path)") }
    let hand = try chosen.open(serial: found?.serial, ask: Self.ask)
    do throws(IOFailure) {
      rig = try LineRig(
        line, actuator: hand, slack: slack, clockSlack: clockSlack, breakResets: breakResets)
    } catch {
      throw Failure(line: error)
    }
    self.actuator = chosen
    // Nine digits, so that a person can type them.
    self.seed = seed ?? UInt64.random(in: 100_000_000...999_999_999)
  }

  func run(
    _ cases: [ConformanceCase], showsSteps: Bool, out: String?,
    until termination: borrowing Termination
  ) throws -> RunReport {
    if let out { try Self.makeFolder(out) }
    let ended = termination.descriptor
    var captures: [String: String] = [:]
    var progress = ProgressLine("cases", of: cases.count)
    var done = 0
    let outcomes = ConformanceRun(on: rig, seed: seed).run(
      cases, isStopped: { ((try? Syscall.poll(ended, for: POLLIN, until: rig.past)) ?? 0) != 0 },
      { outcome in
        Self.tell(outcome, showsSteps: showsSteps)
        done += 1
        progress.show(done)
        if outcome.isFailed, let out { captures[outcome.tested.id] = keep(outcome, in: out) }
      })
    var report = RunReport(
      application: Self.application, rig: rig.name, actuator: "\(actuator)", seed: seed,
      outcomes: outcomes)
    report.captures = captures
    report.options = options
    return report
  }

  private static func tell(_ outcome: CaseOutcome, showsSteps: Bool) {
    Terminal.line(RunReport.line(of: outcome))
    let reason = outcome.isFailed ? [outcome.reason ?? ""] : []
    for line in (showsSteps ? outcome.steps : []) + reason { Terminal.line("            \(line)") }
  }

  /// - Returns: where its capture is; nil if it could not be written.
  private func keep(_ outcome: CaseOutcome, in folder: String) -> String? {
    let path = "\(folder)/\(outcome.fileName)"
    do throws(Failure) {
      try Failure.mapped {
        let bytes = outcome.capture(application: Self.application)
        try OutputFile(path).write { try $0(bytes) }
      }
      return path
    } catch {
      lostCapture = Failure(.ioError, "a capture is lost: \(error.text)")
      return nil
    }
  }

  /// - Parameter forgets: a press that it keeps may be lost.
  /// - Throws: `Failure` where the keychain is paired, or where a press of one in use would be
  ///   lost.
  func refuseInUse(forgets: Bool = false) throws {
    guard !rig.isVirtual else { return }
    let greeting = try ConformanceRun(on: rig, seed: seed).greeting()
    if greeting.isPaired {
      throw Failure(
        .refused,
        "the keychain is paired with its core, and believes that alone, for its frames are sealed:"
          + " it cannot be tested; un-pair it first, at its core by fob ctl unpair, or by its"
          + " button (take its power, press, give it power, hold for ten seconds, let go, and press"
          + " again while the light flashes fast)")
    }
    guard !forgets, let press = greeting.pressAtRisk else { return }
    throw Failure(
      .refused,
      "the keychain still keeps press \(press.text) for its core: connect it to that first, or give"
        + " --forget and lose it")
  }

  /// The run ended because nothing was heard.
  func isSilent(_ report: RunReport) -> Bool {
    report.failed.contains { $0.isSilent }
  }

  private static var application: String { "fob \(Fob.configuration.version)" }

  private static func makeFolder(_ path: String) throws(Failure) {
    do {
      try FileManager.default.createDirectory(
        atPath: path, withIntermediateDirectories: true)
    } catch {
      throw Failure(.cannotOpen, "cannot make the folder \(path): choose another --out")
    }
  }

  /// The control socket of this user's emulator that has this line, or that is the USB device with
  /// this serial number.
  static func emulator(of line: DeviceSpec) -> (path: String, serial: UInt32)? {
    let number: String? =
      switch line.kind {
      case .tty(let address), .usb(let address): address.serial
      case .pty, .serial, .unix, .tcp, .memory: nil
      }
    let place = line.resolved.description
    for found in SocketScan(folder: RuntimeFolder.path).sockets() {
      guard let keychain = found.keychain,
        keychain.spec == place || keychain.device == number,
        let device = UInt64(keychain.device, radix: 16)
      else { continue }
      return (found.socket, UInt32(truncatingIfNeeded: device))
    }
    return nil
  }

  private static func ask(_ words: String) -> Bool {
    guard isatty(STDIN_FILENO) == 1 else { return false }
    Terminal.line("    >>> \(words)")
    return readLine() != nil
  }
}

extension Rig {
  /// A deadline that never waits.
  fileprivate var past: Instant { Instant(microseconds: 0) }
}
