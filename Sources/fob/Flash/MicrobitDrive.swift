import Capture
import Foundation
import Glibc
import SerialIO
import Transport

/// The drive of a micro:bit, MICROBIT: what is copied onto it is written into the chip.
struct MicrobitDrive: Equatable {
  /// Where it is mounted.
  let path: String
  /// The four digits of the board.
  let boardID: String
  let version: Microbit.Version
  /// Begins with the board's id, and is the serial number of its USB device; nil where only a board
  /// id is told, by an old DAPLink.
  let uniqueID: String?
  /// FAIL.TXT as it was then.
  private let formerComplaint: Complaint?

  /// No file of a drive that is read has a tenth of it.
  private static let longestFile = 65_536
  /// In characters, of what is quoted.
  private static let longestComplaint = 400

  private struct Complaint: Equatable {
    let text: String
    let written: Date?
  }

  /// Reads DETAILS.TXT, or MICROBIT.HTM of an older DAPLink.
  /// - Throws: `Failure` for a folder that is no drive of a micro:bit, or one in maintenance mode:
  ///   what is copied there becomes the debugger's own firmware.
  init(at path: String) throws(Failure) {
    guard FileManager.default.fileExists(atPath: path) else {
      throw Failure(.cannotOpen, "there is no folder \(path): name where the drive is mounted")
    }
    let details = Self.details(try Self.details(at: path))
    if let mode = details["daplink mode"], mode.lowercased() != "interface" {
      throw Failure(
        .refused,
        "\(path) is the drive of a board in maintenance mode, where an image would become the"
          + " debugger's own: plug it in again without its reset button held")
    }
    let uniqueID = details["unique id"]
    let page = Self.text("\(path)/MICROBIT.HTM") ?? ""
    guard let told = uniqueID ?? Self.boardID(in: page) else {
      throw Failure(
        .refused,
        "\(path) is no drive of a micro:bit: neither DETAILS.TXT nor MICROBIT.HTM there tells a"
          + " board")
    }
    guard let version = Microbit.Version(boardID: told) else {
      throw Failure(
        .refused,
        "\(path) is the drive of another board than a micro:bit,"
          + " \(PrintableText.of(String(told.prefix(4))))")
    }
    self.path = path
    self.version = version
    self.uniqueID = uniqueID
    boardID = String(told.prefix(4))
    formerComplaint = Self.complaint(at: path)
  }

  /// The one drive of a micro:bit that is mounted.
  /// - Parameter mounts: as /proc/self/mounts has them.
  /// - Throws: `Failure` where there is none, or more than one.
  static func mounted(in mounts: String) throws(Failure) -> MicrobitDrive {
    var drives: [MicrobitDrive] = []
    var refusal: Failure?
    for folder in folders(in: mounts) {
      do throws(Failure) {
        drives.append(try MicrobitDrive(at: folder))
      } catch {
        // Any stick has the same file system; one that is called so is meant.
        if folder.hasSuffix("/MICROBIT") || folder.hasSuffix("/MAINTENANCE") { refusal = error }
      }
    }
    guard let drive = drives.first else {
      throw refusal
        ?? Failure(
          .cannotOpen,
          "no drive of a micro:bit is mounted: plug it in, and open MICROBIT in the file manager or"
            + " mount it with udisksctl mount -b /dev/disk/by-label/MICROBIT")
    }
    guard drives.count == 1 else {
      let paths = drives.map(\.path).joined(separator: ", ")
      throw Failure(.refused, "there are several micro:bits: choose one with --drive, of \(paths)")
    }
    return drive
  }

  /// Folders where a FAT file system is mounted; proc(5) writes blanks and backslashes in octal.
  static func folders(in mounts: String) -> [String] {
    mounts.split(separator: "\n").compactMap { line -> String? in
      let fields = line.split(separator: " ")
      guard fields.count >= 3, fields[2] == "vfat" || fields[2] == "msdos" else { return nil }
      return String(fields[1]).replacing(/\\([01][0-7]{2})/) { escape in
        String(UnicodeScalar(UInt8(escape.1, radix: 8) ?? 0))
      }
    }
  }

  /// Whether it is the drive of the board whose USB device has this serial number, or, where an old
  /// DAPLink tells no more, may be.
  func isBoard(withSerial serial: String) -> Bool {
    uniqueID.map { $0 == serial } ?? serial.hasPrefix(boardID)
  }

  /// Why DAPLink has not written an image, which it says in FAIL.TXT, and whether it says so since
  /// this was made; nil where it says nothing.
  var complaint: (text: String, isNew: Bool)? {
    Self.complaint(at: path).map { ($0.text, $0 != formerComplaint) }
  }

  private static func complaint(at path: String) -> Complaint? {
    let path = "\(path)/FAIL.TXT"
    let line = text(path)?.split(whereSeparator: \.isNewline).joined(separator: " ") ?? ""
    guard !line.isEmpty else { return nil }
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    return Complaint(
      text: PrintableText.of(String(line.prefix(longestComplaint))),
      written: attributes?[.modificationDate] as? Date)
  }

  /// Empty where there are none, as of an old DAPLink.
  /// - Throws: `Failure` where they cannot be read whole: they may tell of maintenance mode.
  private static func details(at path: String) throws(Failure) -> String {
    do throws(IOFailure) {
      let bytes = try RegularFile.read("\(path)/DETAILS.TXT", longest: longestFile)
      return String(decoding: bytes, as: UTF8.self)
    } catch {
      guard error.errno != ENOENT else { return "" }
      throw Failure(.refused, "\(path) is no drive of a micro:bit: \(error)")
    }
  }

  /// Lines like `Unique ID: 9900…`, by name in lower case; either side may stand among blanks.
  private static func details(_ text: String) -> [String: String] {
    var details: [String: String] = [:]
    for line in text.split(whereSeparator: \.isNewline) where !line.hasPrefix("#") {
      let parts = line.split(separator: ":", maxSplits: 1)
      guard parts.count == 2 else { continue }
      let (name, value) = (parts[0], parts[1].trimmingCharacters(in: .whitespaces))
      details[name.trimmingCharacters(in: .whitespaces).lowercased()] = value
    }
    return details
  }

  /// The page leads to `…/device/?id=9900&v=0241`.
  private static func boardID(in page: String) -> String? {
    page.firstMatch(of: /[?&]id=([0-9A-Fa-f]{4,48})/).map { String($0.1) }
  }

  /// Nil for what is missing, is no regular file, or is longer than any file of a drive is.
  private static func text(_ path: String) -> String? {
    (try? RegularFile.read(path, longest: longestFile)).map { String(decoding: $0, as: UTF8.self) }
  }
}
