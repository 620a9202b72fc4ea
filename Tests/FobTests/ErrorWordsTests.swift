import FobBase
import Foundation
import Glibc
import SerialIO
import TestSupport
import Testing

/// What goes wrong as a rule, at every command: said in a person's words.
@Suite final class ErrorWordsTests {
  private let scratch: ScratchDirectory
  private let taken: TCPListener

  init() throws {
    scratch = try ScratchDirectory()
    taken = try TCPListener(host: "127.0.0.1", port: 0)
    try Data().write(to: URL(filePath: scratch.path("plain")))
    try Data("steps: [".utf8).write(to: URL(filePath: scratch.path("cut.yaml")))
  }

  /// What shows how the program is made.
  private static var innards: Regex<AnyRegexOutput> {
    get throws {
      try Regex(
        #"errno|NIO|EventLoop|Swift|Optional\(|Domain=|Error\(|\w+\((\w+:)+|\.\w+\(|Code="#)
    }
  }

  private static let long = String(repeating: "x", count: 150)

  /// PLAIN is a file, FOLDER a folder, PORT one that is taken, LONG a path beyond a socket's.
  @Test(arguments: [
    ("emulate --control FOLDER/LONG --link FOLDER/k", 66, "a socket's path has 1 to 107 bytes"),
    ("emulate --on unix:FOLDER/LONG --control FOLDER/c", 64, "at most 107 bytes"),
    ("emulate --on tcp:127.0.0.1:PORT --control FOLDER/c", 66, "Address already in use"),
    ("emulate --usb tcp:127.0.0.1:PORT --control FOLDER/c", 66, "Address already in use"),
    ("emulate --on tcp:192.0.2.1:4000 --control FOLDER/c", 66, "cannot listen at 192.0.2.1:4000"),
    ("emulate --on serial:PLAIN --control FOLDER/c", 66, "it is not a terminal"),
    ("emulate --link PLAIN --control FOLDER/c", 66, "something else has that name"),
    ("emulate --link /nonexistent/k --control FOLDER/c", 66, "No such file or directory"),
    ("emulate --link FOLDER/k --control PLAIN", 66, "it is not a socket"),
    ("emulate --store FOLDER --link FOLDER/k --control FOLDER/c", 66, "Is a directory"),
    ("emulate --gps /nonexistent --link FOLDER/k --control FOLDER/c", 66, "No such file"),
    ("bridge --state PLAIN --control FOLDER/c", 66, "Not a directory"),
    ("bridge --state FOLDER/s --control PLAIN", 66, "it is not a socket"),
    (
      "bridge --state FOLDER/s --control FOLDER/c --listen 127.0.0.1:PORT", 66,
      "Address already in use; choose another --listen"
    ),
    (
      "bridge --state FOLDER/s --control FOLDER/c --listen 192.0.2.1:4000 --insecure-wide", 66,
      "Cannot assign requested address; choose another --listen"
    ),
    (
      "core --state FOLDER/s --control FOLDER/c --listen localhost.invalid:1 --insecure-wide", 66,
      "cannot find localhost.invalid"
    ),
    ("core --state FOLDER/s --config PLAIN", 64, "no configuration of notification channels"),
    ("run --set-up --listen 127.0.0.1:PORT", 66, "Address already in use; choose another --listen"),
    ("run --state PLAIN", 66, "Not a directory"),
    ("run --on unix:/nonexistent/line", 66, "No such file or directory"),
    ("run --scenario FOLDER", 66, "is it a file?"),
    ("run --scenario FOLDER/cut.yaml", 64, "cut.yaml: line "),
    ("ctl press --socket PLAIN", 69, "Connection refused"),
    ("ctl press --socket FOLDER/LONG", 69, "a socket's path has 1 to 107 bytes"),
    ("ctl disarm --pin-file FOLDER --socket PLAIN", 66, "neither a regular file nor a pipe"),
    ("monitor --read /nonexistent", 66, "No such file or directory"),
    ("monitor --read FOLDER", 66, "Is a directory"),
    ("monitor --socket PLAIN", 69, "Connection refused"),
    ("monitor --write /nonexistent/c --socket PLAIN", 66, "No such file or directory"),
    ("replay FOLDER", 66, "Is a directory"),
    ("replay PLAIN", 74, "it holds no packet"),
    ("conform PLAIN --actuator none", 66, "it is not a terminal"),
    ("conform tcp:127.0.0.1:1 --actuator none", 69, "Connection refused"),
    ("conform memory: --out PLAIN", 66, "cannot make the folder"),
    ("bench latency --device pty:/nonexistent", 66, "No such file or directory"),
    ("bench latency --compare PLAIN", 66, "no result of fob bench latency"),
    ("state export --state /nonexistent", 66, "no state is there"),
    ("state import --state FOLDER/s PLAIN", 64, "it is not JSON"),
    ("state import --state FOLDER/s FOLDER", 66, "is it a file?"),
    ("state check --state PLAIN", 66, "Not a directory"),
    ("token list --state PLAIN", 66, "Not a directory"),
    ("token revoke nobody --state FOLDER/s", 77, "there is no token nobody"),
    ("identify PLAIN", 64, "only a keychain on USB"),
    ("simulate --seeds x", 64, "'x' is invalid"),
  ])
  func `what goes wrong is said in plain words`(
    words: String, code: Int32, reason: String
  ) throws {
    let places = [
      ("PLAIN", scratch.path("plain")), ("FOLDER", scratch.path), ("PORT", "\(taken.port)"),
      ("LONG", Self.long),
    ]
    let arguments = words.split(separator: " ").map { word in
      places.reduce(String(word)) { $0.replacing($1.0, with: $1.1) }
    }
    let fob = try RunningFob(arguments, in: scratch, awaitsReady: false)
    #expect(fob.awaitEnd() == code, "\(fob.output)")
    #expect(fob.output.contains(reason), "\(fob.output)")
    let shown = try fob.output.firstMatch(of: Self.innards).map { String(fob.output[$0.range]) }
    #expect(shown == nil, "\(fob.output)")
  }

  /// As nobody in particular, who may not write there.
  @Test(
    .enabled(if: geteuid() == 0),
    arguments: [
      ("emulate --link FOLDER/k --control FOLDER/c", 66),
      ("bridge --state FOLDER/s --control FOLDER/c", 66), ("run --state FOLDER/s", 66),
      ("monitor --write FOLDER/w --socket PLAIN", 66),
      ("conform memory: --case protocol/vector-streams --save FOLDER/w", 66),
      ("state import --state FOLDER/s PLAIN", 64),
      ("token create --scope observe --state FOLDER/s", 66),
    ])
  func `what may not be written is said in plain words`(words: String, code: Int32) throws {
    let readable = try ScratchDirectory()
    chmod(readable.path, 0o755)
    let plain = readable.path("plain")
    try Data().write(to: URL(filePath: plain))
    chmod(plain, 0o644)
    let arguments = words.replacing("FOLDER", with: readable.path).replacing("PLAIN", with: plain)
    let fob = try RunningFob(
      arguments.split(separator: " ").map(String.init), in: scratch, awaitsReady: false,
      as: "nobody")
    #expect(fob.awaitEnd() == code, "\(fob.output)")
    #expect(fob.output.contains("Permission denied") || code == 64, "\(fob.output)")
    let shown = try fob.output.firstMatch(of: Self.innards).map { String(fob.output[$0.range]) }
    #expect(shown == nil, "\(fob.output)")
  }
}
