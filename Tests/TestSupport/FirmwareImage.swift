import Foundation

/// The keychain's firmware for the board that QEMU has: FOB_FIRMWARE, else the one that
/// `make firmware` builds, built here where it is missing.
public enum FirmwareImage {
  public struct Missing: Error, CustomStringConvertible {
    public let description: String
  }

  private static let image: Result<String, Missing> = {
    if let named = ProcessInfo.processInfo.environment["FOB_FIRMWARE"] { return .success(named) }
    let root = Repository.root.path
    let path = root + "/.build/firmware/fob-lm3s6965evb.elf"
    if FileManager.default.isReadableFile(atPath: path) { return .success(path) }
    let build = Process()
    build.executableURL = URL(filePath: root + "/scripts/firmware.sh")
    do {
      try build.run()
      build.waitUntilExit()
    } catch {
      return .failure(Missing(description: "scripts/firmware.sh cannot be started: \(error)"))
    }
    return FileManager.default.isReadableFile(atPath: path)
      ? .success(path) : .failure(Missing(description: "scripts/firmware.sh has built no \(path)"))
  }()

  public static func path() throws -> String { try image.get() }
}
