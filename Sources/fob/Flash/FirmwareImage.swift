import ArgumentParser
import Foundation
import Glibc
import SerialIO
import Transport

/// A board that shops have, and the firmware that is copied onto its drive.
enum FlashBoard: String, CaseIterable, ExpressibleByArgument {
  case microbit
  case microbitV2 = "microbit-v2"

  /// Which of the boards runs it.
  var version: Microbit.Version {
    switch self {
    case .microbit: .one
    case .microbitV2: .two
    }
  }

  init(_ version: Microbit.Version) {
    switch version {
    case .one: self = .microbit
    case .two: self = .microbitV2
    }
  }
}

/// The keychain's firmware for a micro:bit, as scripts/firmware.sh makes it.
struct FirmwareImage {
  let path: String
  let bytes: [UInt8]
  /// Behind the vectors of the image (Boards/nrf5/Startup/vectors.c).
  let board: FlashBoard
  /// What the keychain answers to FW_INFO once it runs.
  let firmware: KeychainFirmware

  private static let boardPrefix = "fob board "
  private static let name = "fob keychain"
  /// A hex file has less than three characters for each byte of the largest flash, 512 KiB.
  private static let longest = 3 << 19

  /// - Throws: `Failure` where the file cannot be read, is no Intel HEX or not the keychain of that
  ///   board, or its chip would not start with it.
  init(path: String, for board: FlashBoard) throws(Failure) {
    do throws(IOFailure) {
      bytes = try RegularFile.read(path, longest: Self.longest)
    } catch {
      if error.errno == EFBIG {
        throw Failure(.refused, "\(path) is larger than any micro:bit's flash")
      }
      throw Failure(.cannotOpen, "\(error); name another image with --image")
    }
    let hex: IntelHex
    do throws(IntelHex.Fault) {
      hex = try IntelHex(bytes)
    } catch {
      throw Failure(.refused, "\(path) is no whole Intel HEX file: \(error)")
    }
    guard !MicrobitMemory.isBlank(hex) else {
      throw Failure(.refused, "\(path) is blank where the vectors belong that a chip starts with")
    }
    let hint = "build it with make firmware BOARD=\(board.rawValue)"
    let text = hex.text(at: MicrobitMemory.endOfVectors) ?? ""
    guard !text.hasPrefix(Self.boardPrefix) || text == Self.boardPrefix + board.rawValue else {
      throw Failure(
        .refused,
        "\(path) is the image of \(text.dropFirst(Self.boardPrefix.count)), not"
          + " \(board.rawValue): \(hint)")
    }
    guard text.hasPrefix(Self.boardPrefix),
      let start = hex.address(of: Array(Self.name.utf8) + [0]),
      let build = hex.text(at: start &+ UInt32(Self.name.utf8.count) &+ 1),
      let firmware = KeychainFirmware(Array(Self.name.utf8) + [0] + Array(build.utf8))
    else {
      throw Failure(
        .refused,
        "\(path) is not the keychain's firmware of a micro:bit, or older than this fob: \(hint)")
    }
    do throws(IntelHex.Fault) {
      try MicrobitMemory(board.version).check(hex)
    } catch {
      throw Failure(.refused, "a \(board.rawValue) would not start with \(path): \(error)")
    }
    self.path = path
    self.board = board
    self.firmware = firmware
  }

  /// What `make firmware` builds for a board in this folder or this program's clone, or what a
  /// package installs.
  /// - Throws: `Failure` where there is none.
  static func standard(_ board: FlashBoard) throws(Failure) -> String {
    let candidates = BuiltFirmware.paths("fob-\(board.rawValue).hex")
    if let found = candidates.first(where: { access($0, R_OK) == 0 }) { return found }
    throw Failure(
      .cannotOpen,
      "cannot read the firmware \(candidates.joined(separator: " or ")): build it with make"
        + " firmware BOARD=\(board.rawValue) in fob's clone, or name another with --image")
  }
}

/// Where the firmware of boards stands.
enum BuiltFirmware {
  /// Here, in the build folder that this program stands in, and where a package puts it.
  /// - Parameter name: of the file.
  static func paths(_ name: String) -> [String] {
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
