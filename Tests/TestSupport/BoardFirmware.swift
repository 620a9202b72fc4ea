import Foundation

/// The keychain's firmware for the board that QEMU has: the ELF file that FOB_FIRMWARE names, else
/// the one of scripts/firmware.sh, built here where it is missing or older than its sources.
public enum BoardFirmware {
  public struct Missing: Error, CustomStringConvertible {
    public let description: String
  }

  private static let built: Result<String, Missing> = {
    if let named = ProcessInfo.processInfo.environment["FOB_FIRMWARE"] { return .success(named) }
    let elf = Repository.root.path + "/.build/firmware/fob-lm3s6965evb.elf"
    let script = Process()
    script.executableURL = URL(filePath: Repository.root.path + "/scripts/firmware.sh")
    script.arguments = ["--if-older"]
    do {
      try script.run()
      script.waitUntilExit()
    } catch {
      return .failure(Missing(description: "scripts/firmware.sh cannot be started: \(error)"))
    }
    // One that is over its budget was built all the same.
    return FileManager.default.isReadableFile(atPath: elf)
      ? .success(elf) : .failure(Missing(description: "scripts/firmware.sh has built no \(elf)"))
  }()

  public static func path() throws -> String { try built.get() }
}
