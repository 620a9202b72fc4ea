import Foundation
import Glibc

/// Which processes have which port open, by `/proc/*/fd`. Those of other users show theirs to root
/// only: a port that seems free may be held by one.
struct PortHolders {
  private var holders: [String: [String]] = [:]

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
        let name = try? String(contentsOfFile: "\(root)/proc/\(process)/comm", encoding: .utf8)
        let words = name.map { " (\($0.trimmingCharacters(in: .whitespacesAndNewlines)))" } ?? ""
        holders[path, default: []].append("process \(process)\(words)")
      }
    }
  }

  /// Nil where nobody is seen.
  func words(for path: String) -> String? {
    holders[path].map { "busy: \($0.joined(separator: ", ")) has it open" }
  }
}
