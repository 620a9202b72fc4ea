/// The targets of docs/explanation/architecture.md as data: who stands on which level, and which
/// modules of others each may import. Below its own level a target may import any target of ours; a
/// pure one only pure ones.
struct Layer {
  let level: Int
  let isPure: Bool
  let others: Set<String>

  private static func pure(_ level: Int) -> Layer {
    Layer(level: level, isPure: true, others: [])
  }

  private static func effects(_ level: Int, _ others: Set<String>) -> Layer {
    Layer(level: level, isPure: false, others: others)
  }

  private static let system: Set = ["Foundation", "Glibc", "Synchronization"]
  private static let upper = system.union(["Logging"])

  static let table: [String: Layer] = [
    "CProcessor": pure(-1),
    "FobBase": pure(0),
    "CLinux": effects(0, []),
    "CPage": effects(0, []),
    "CUdev": effects(0, []),
    "CUSB": effects(0, []),
    "CZlib": effects(0, []),
    "CCurl": effects(0, []),
    "COpenSSL": effects(0, []),
    "CMosquitto": effects(0, []),
    "CPostgres": effects(0, []),
    "CQRencode": effects(0, []),
    "WireProtocol": pure(1),
    "NMEA": pure(1),
    "AlertCore": pure(2),
    "Firmware": pure(2),
    "Capture": pure(2),
    "Judge": pure(2),
    "USB": pure(2),
    "SystemCrypto": effects(1, ["Glibc"]),
    "SerialIO": effects(1, ["Dispatch", "Glibc", "Synchronization"]),
    "Control": effects(2, system),
    "Transport": effects(3, upper),
    "Emulator": effects(3, upper),
    "Storage": effects(3, upper.union(["GRDB", "GRDBSQLite"])),
    "Sinks": effects(3, upper),
    "Bridge": effects(4, upper),
    "Simulation": effects(4, ["Synchronization"]),
    "Conformance": effects(4, system),
    "Bench": effects(4, system.union(["Histogram"])),
    "Console": effects(
      5,
      upper.union([
        "Hummingbird", "HummingbirdCore", "HTTPTypes", "NIOCore", "NIOHTTPTypes", "NIOPosix",
      ])),
    "fob": effects(6, upper.union(["ArgumentParser", "CDispatch", "Yams"])),
  ]

  static func offences(in files: [SwiftFile]) -> [Offence] {
    files.flatMap { file -> [Offence] in
      guard let layer = table[file.target] else {
        return [Offence(path: file.path, line: 0, message: "\(file.target) has no layer")]
      }
      return imports(of: file).compactMap { line, module in
        layer.refusal(of: module, to: file.target).map {
          Offence(path: file.path, line: line, message: $0)
        }
      }
    }
  }

  private func refusal(of module: String, to target: String) -> String? {
    guard let imported = Self.table[module] else {
      return others.contains(module) ? nil : "\(target) may not import \(module)"
    }
    if imported.level >= level {
      return "\(target) (level \(level)) imports \(module) (level \(imported.level))"
    }
    if isPure, !imported.isPure { return "\(target) is pure, \(module) is not" }
    return nil
  }

  /// The module of each import line, whatever access, attribute or kind it carries.
  static func imports(of file: SwiftFile) -> [(line: Int, module: String)] {
    let kinds: Set<Substring> = [
      "struct", "class", "enum", "protocol", "func", "var", "let", "typealias",
    ]
    var found: [(line: Int, module: String)] = []
    for (index, line) in file.code.enumerated() {
      let words = Word.all(in: line)
      for (at, word) in words.enumerated() where word.text == "import" && !word.isMember {
        if let module = words[(at + 1)...].first(where: { !kinds.contains($0.text) }) {
          found.append((index + 1, String(module.text)))
        }
      }
    }
    return found
  }
}
