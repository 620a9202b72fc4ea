import Foundation
import Synchronization

/// The keychain's firmware for a board that QEMU has, built by scripts/firmware.sh where it is
/// missing or older than its sources.
public struct BoardFirmware: Sendable {
  /// The boards, as scripts/firmware.sh names them.
  public enum Board: String, CaseIterable, Sendable {
    case lm3s6965evb, microbit
  }

  public struct Missing: Error, CustomStringConvertible {
    public let description: String
  }

  public static let keychain = BoardFirmware(board: Board.lm3s6965evb.rawValue, suffix: "")
  public static let lockstep = BoardFirmware(board: Board.lm3s6965evb.rawValue, suffix: "-lockstep")
  /// Says what a Cortex-M0 computes without instructions of its own.
  public static let helpers = BoardFirmware(board: Board.microbit.rawValue, suffix: "-helpers")
  /// QEMU does not have this board.
  public static let microbitV2 = BoardFirmware(board: "microbit-v2", suffix: "")

  public static func keychain(_ board: Board) -> BoardFirmware {
    BoardFirmware(board: board.rawValue, suffix: "")
  }

  /// Its time is granted by the test (Boards/cortex-m/LOCKSTEP.md).
  public static func lockstep(_ board: Board) -> BoardFirmware {
    BoardFirmware(board: board.rawValue, suffix: "-lockstep")
  }

  private let board: String
  private let suffix: String
  private static let built = Mutex<[String: Result<String, Missing>]>([:])

  /// Of the ELF file; for a keychain's the one that FOB_FIRMWARE names, where it does.
  public func path() throws -> String {
    if suffix.isEmpty, board == Board.lm3s6965evb.rawValue,
      let named = ProcessInfo.processInfo.environment["FOB_FIRMWARE"]
    {
      return named
    }
    return try Self.built.withLock { built in
      let result = built[name] ?? build()
      built[name] = result
      return try result.get()
    }
  }

  private var name: String { "fob-\(board)\(suffix)" }

  private func build() -> Result<String, Missing> {
    let elf = Repository.root.path + "/.build/firmware/\(name).elf"
    let script = Process()
    script.executableURL = URL(filePath: Repository.root.path + "/scripts/firmware.sh")
    script.arguments = [board, "--if-older"] + (suffix.isEmpty ? [] : ["-" + suffix])
    let output = Pipe()
    script.standardOutput = output
    script.standardError = output
    do {
      try script.run()
    } catch {
      return .failure(Missing(description: "scripts/firmware.sh cannot be started: \(error)"))
    }
    let said = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    script.waitUntilExit()
    // One that is over its budget was built all the same.
    return FileManager.default.isReadableFile(atPath: elf)
      ? .success(elf)
      : .failure(Missing(description: "scripts/firmware.sh has built no firmware: \(said)"))
  }
}
