import Foundation

/// The keychain's firmware for the board that QEMU has, built by scripts/firmware.sh where it is
/// missing or older than its sources.
public enum BoardFirmware: String, Sendable {
  case keychain = "fob-lm3s6965evb"
  /// Its time is granted by the test (Boards/lm3s6965evb/LOCKSTEP.md).
  case lockstep = "fob-lm3s6965evb-lockstep"

  public struct Missing: Error, CustomStringConvertible {
    public let description: String
  }

  private static let keychainBuild = built(.keychain)
  private static let lockstepBuild = built(.lockstep)

  /// Of the ELF file; for the keychain's the one that FOB_FIRMWARE names, where it does.
  public func path() throws -> String {
    switch self {
    case .keychain:
      if let named = ProcessInfo.processInfo.environment["FOB_FIRMWARE"] { return named }
      return try Self.keychainBuild.get()
    case .lockstep: return try Self.lockstepBuild.get()
    }
  }

  private static func built(_ variant: Self) -> Result<String, Missing> {
    let elf = Repository.root.path + "/.build/firmware/\(variant.rawValue).elf"
    let script = Process()
    script.executableURL = URL(filePath: Repository.root.path + "/scripts/firmware.sh")
    script.arguments = ["--if-older"] + (variant == .lockstep ? ["--lockstep"] : [])
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
