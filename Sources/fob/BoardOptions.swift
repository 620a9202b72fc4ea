import ArgumentParser
import Emulator
import Foundation
import Glibc

/// `--board`: what the firmware of an emulated keychain runs on.
enum BoardKind: String, ExpressibleByArgument, CaseIterable {
  case simulated, qemu
}

/// The board of `emulate`.
struct BoardOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "simulated: in this process; qemu: on a Cortex-M3 (lm3s6965evb) in qemu-system-arm.",
      valueName: "kind"))
  var board = BoardKind.simulated

  @Option(
    help: ArgumentHelp(
      "The ELF file for --board qemu. (default: the one that make firmware builds)",
      valueName: "elf"))
  var firmware: String?

  func validate() throws {
    guard firmware == nil || board == .qemu else {
      throw ValidationError("--firmware is what QEMU runs: it needs --board qemu")
    }
  }

  /// - Throws: `Failure` where the firmware of a board in QEMU is not there.
  func chosen() throws(Failure) -> EmulatorConfiguration.Board {
    switch board {
    case .simulated: .simulated
    case .qemu: .qemu(firmware: try elf())
    }
  }

  private func elf() throws(Failure) -> String {
    let candidates = firmware.map { [$0] } ?? Self.built
    if let found = candidates.first(where: { access($0, R_OK) == 0 }) { return found }
    throw Failure(
      .cannotOpen,
      "cannot read the firmware \(candidates[0]): build it with make firmware, or name another"
        + " with --firmware")
  }

  /// Here, in the build folder that this program stands in, and where a package puts it.
  private static var built: [String] {
    let name = "fob-lm3s6965evb.elf"
    let path = ".build/firmware/\(name)"
    guard let program = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    else { return [path] }
    let folder = program.split(separator: "/").dropLast().map { "/" + $0 }.joined()
    let installed = "\(folder)/../share/fob/\(name)"
    guard let end = program.range(of: "/.build/", options: .backwards)?.lowerBound else {
      return [path, installed]
    }
    return [path, "\(program[..<end])/\(path)", installed]
  }
}
