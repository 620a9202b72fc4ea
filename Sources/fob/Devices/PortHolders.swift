import Foundation
import Glibc

/// Which processes have which port open, by `/proc/*/fd`. Those of other users show theirs to root
/// only: a port that seems free may be held by one.
struct PortHolders {
  /// It opens every port that may be a modem and writes AT commands into it, seconds after the
  /// port has appeared.
  private static let modemManager = "ModemManager"

  private var holders: [String: [String]] = [:]
  private var modems: Set<String> = []

  init(root: String, paths: Set<String>) {
    guard !paths.isEmpty else { return }
    let files = FileManager.default
    let processes = (try? files.contentsOfDirectory(atPath: root + "/proc")) ?? []
    for process in processes.compactMap({ Int32($0) }).sorted() {
      let folder = "\(root)/proc/\(process)/fd"
      var found: Set<String> = []
      for descriptor in (try? files.contentsOfDirectory(atPath: folder)) ?? [] {
        guard let target = try? files.destinationOfSymbolicLink(atPath: "\(folder)/\(descriptor)"),
          paths.contains(target)
        else { continue }
        found.insert(target)
      }
      for path in found {
        let name = (try? String(contentsOfFile: "\(root)/proc/\(process)/comm", encoding: .utf8))?
          .trimmingCharacters(in: .whitespacesAndNewlines)
        if name == Self.modemManager { modems.insert(path) }
        let words = name.map { " (\($0))" } ?? ""
        holders[path, default: []].append("process \(process)\(words)")
      }
    }
  }

  /// Nil where nobody is seen.
  func words(for path: String) -> String? {
    holders[path].map { names in
      "busy: \(names.joined(separator: ", ")) has it open"
        + (modems.contains(path)
          ? "; ModemManager takes it for a modem and writes to it: make install-udev keeps it away,"
            + " then plug it in again" : "")
    }
  }
}
