import Foundation
import Glibc
import TestSupport

/// The firmware for the Cortex-M, built by scripts/firmware.sh where it is missing or older than its
/// sources.
enum FirmwareImage {
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  enum Variant: String {
    case keychain = "fob-lm3s6965evb"
    case lockstep = "fob-lm3s6965evb-lockstep"
  }

  static func path(_ variant: Variant) throws -> String {
    try builds[variant]!.get()
  }

  private static let builds: [Variant: Result<String, Failure>] = [
    .keychain: build(.keychain), .lockstep: build(.lockstep),
  ]

  private static func build(_ variant: Variant) -> Result<String, Failure> {
    let script = Repository.root.appending(path: "scripts/firmware.sh").path
    let elf = Repository.root.appending(path: ".build/firmware/\(variant.rawValue).elf").path
    let process = Process()
    process.executableURL = URL(filePath: script)
    process.arguments = ["--if-older"] + (variant == .lockstep ? ["--lockstep"] : [])
    let output = Pipe()
    process.standardError = output
    process.standardOutput = output
    do { try process.run() } catch {
      return .failure(Failure(description: "scripts/firmware.sh cannot be started: \(error)"))
    }
    let said = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    guard FileManager.default.fileExists(atPath: elf) else {
      return .failure(Failure(description: "scripts/firmware.sh has built no firmware: \(said)"))
    }
    return .success(elf)
  }
}
