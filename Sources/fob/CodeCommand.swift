import ArgumentParser
import Bridge
import Control
import FobBase
import Foundation
import SerialIO

/// `fob code`: a fresh one-time code for the page of a running core. Who may read its state folder
/// and open its control socket is its owner.
struct CodeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "code",
    abstract: "Print a link that opens the page of a running core, with a fresh one-time code.",
    discussion: """
      The code counts once, for ten minutes; the one before it is void. Browsers that are let in \
      stay in, also over a restart of the core, for twelve hours.
      """)

  @Option(help: "Its state folder. (default: that of fob run, fob bridge or fob core)")
  var state: String?

  @Option(help: "Its control socket, in place of the state folder.")
  var socket: String?

  @OptionGroup var output: JSONOption

  private struct Answer: Decodable {
    let page: String
    let code: String
  }

  func run() throws {
    try output.begin()
    let client = try connect()
    try Failure.mapped {
      let line = try client.request(ControlQuestion("code").line(), timeout: .seconds(10))
      try ControlVerdict.check(line, of: "code")
      guard !output.json else { return Terminal.output(line) }
      let answer = try JSONDecoder().decode(Answer.self, from: Data(line.utf8))
      Terminal.line("\(answer.page)")
      Terminal.line("or type the code: \(answer.code)")
    }
  }

  private func connect() throws(Failure) -> ControlClient {
    let folders = if let state { [state] } else { try standardFolders() }
    for path in socket.map({ [$0] }) ?? folders.compactMap(ControlNote.path(in:)) {
      if let client = try? ControlClient(path: path) { return client }
    }
    throw Failure(
      .unreachable,
      "no core runs at \(socket ?? folders.joined(separator: " or ")): start one, or name its"
        + " folder with --state")
  }

  private func standardFolders() throws(Failure) -> [String] {
    var folders = [StateFolder.ofService].compactMap(\.self)
    for name in ["run", "set-up", "bridge", "core"] {
      folders.append(try StateFolder.standard(name))
    }
    return folders
  }
}

/// Where the control socket of a running core is, in its state folder: whoever may read it there
/// may ask.
struct ControlNote {
  private static let name = "control-socket"

  private let path: String

  /// Writes it. Nobody waits for it: where the disk fails, the socket has to be named.
  init(_ socket: String, in folder: String) {
    path = folder + "/" + Self.name
    let whole = Data(URL(filePath: socket).path.utf8)
    try? whole.write(to: URL(filePath: path), options: .atomic)
  }

  func remove() { try? FileManager.default.removeItem(atPath: path) }

  /// Nil: no core has run on the folder, or the last one has stopped.
  static func path(in folder: String) -> String? {
    try? String(contentsOfFile: folder + "/" + name, encoding: .utf8)
  }
}
