import Bench
import FobBase
import Foundation
import SerialIO

/// An earlier fob and this one, which make the same presses at the same time: what the machine
/// does, it does to both.
///
/// They do so in parts, each a process of its own: where memory comes to lie in a process moves
/// its times by more than what is looked for, so many short ones say more than one that is long.
struct PairedRun {
  /// The earlier program.
  let old: String
  /// Of both, for `fob bench latency`.
  let arguments: [String]
  /// Of the new one alone.
  let ownArguments: [String]
  let parts: Int
  let seed: UInt64
  /// How long a part may take, with its start and its end.
  let patience: Interval

  /// Presses in a part: enough for what a press usually takes.
  static let pressesInPart = 16.0
  /// A part is no shorter, seconds.
  static let minPart = 0.4
  /// Each part counts its own lateness; what is too late is said of the whole.
  private static let anyPacing = 1 << 40

  /// Parts until all are made or Ctrl-C comes; the one that it comes in counts for neither.
  /// - Parameter folder: for what the programs leave.
  func play(
    in folder: String, until termination: borrowing Termination
  ) throws -> (old: [BenchResult], new: [BenchResult]) {
    var made: (old: [BenchResult], new: [BenchResult]) = ([], [])
    let option = try Self.fileOption(of: old)
    var progress = PartProgress(parts)
    for number in 0..<parts {
      // Whichever is first has the machine for itself for a moment: they change places.
      let isOldFirst = number.isMultiple(of: 2)
      var first = try Part(self, isOldFirst ? .old : .new, number, folder, option)
      var second = try Part(self, isOldFirst ? .new : .old, number, folder, option)
      guard let one = try first.result(unless: termination),
        let other = try second.result(unless: termination)
      else { break }
      made.old.append(isOldFirst ? one : other)
      made.new.append(isOldFirst ? other : one)
      progress.show(number + 1)
    }
    return made
  }

  private enum Side: String { case old, new }

  /// How an earlier program is told the file of its run: `--json` took one before `--save` did.
  private static func fileOption(of program: String) throws -> String {
    var help = try ChildProcess(
      ["bench", "latency", "--help"], program: program, hearsTerminal: false)
    let deadline = BootClock.now() + .seconds(10)
    while let line = try help.line(until: deadline) {
      if line.text.contains("--save") { return "--save" }
    }
    return "--json"
  }

  /// One program's part.
  private struct Part: ~Copyable {
    private let program: String
    private let folder: String
    private let latest: Instant
    /// So often Ctrl-C is looked for.
    private static let look = Interval.milliseconds(200)
    private var process: ChildProcess

    init(
      _ run: borrowing PairedRun, _ side: Side, _ number: Int, _ parent: String,
      _ oldOption: String
    ) throws {
      program = side == .old ? run.old : ChildProcess.ownProgram
      folder = "\(parent)/\(side.rawValue)-\(number)"
      try StateFolder.make(folder)
      process = try ChildProcess(
        ["bench", "latency"] + run.arguments + (side == .new ? run.ownArguments : [])
          + [
            "--seed", "\(run.seed &+ UInt64(number))", "--max-pacing-error", "\(anyPacing)",
            side == .old ? oldOption : "--save", folder + "/run.json",
          ], program: program, variables: ["TMPDIR": folder], hearsTerminal: false)
      latest = process.began + run.patience
    }

    /// Nil where Ctrl-C comes before its end.
    mutating func result(unless termination: borrowing Termination) throws -> BenchResult? {
      while try !process.awaitEnd(until: BootClock.now() + Self.look) {
        guard !termination.wait(until: BootClock.now()) else { return nil }
        guard BootClock.now() < latest else {
          throw Failure(
            .timedOut, "\(program) did not end within \(latest - process.began): it was stopped")
        }
      }
      do throws(BenchFileError) {
        return try BenchFile.read(folder + "/run.json")
      } catch {
        // What stood in its way it has said on standard error.
        throw Failure(
          .cannotOpen,
          "\(program) made no figures that this fob can read (\(error.reason)): --compare takes"
            + " the JSON of an earlier run, or a fob that has bench latency")
      }
    }

    deinit { StateFolder.remove(folder) }
  }
}

/// How far the parts are: on a terminal in place, else a line now and then.
private struct PartProgress: ~Copyable {
  private let parts: Int
  private var row: ProgressLine
  private var next = BootClock.now() + Self.every

  private static let every = Interval.seconds(10)

  init(_ parts: Int) {
    self.parts = parts
    row = ProgressLine("parts", of: parts)
  }

  mutating func show(_ done: Int) {
    row.show(done)
    guard !Terminal.hasProgress, BootClock.now() >= next else { return }
    Terminal.line("\(done) of \(parts) parts")
    next = next + Self.every
  }
}
