import ArgumentParser
import Bridge
import Control
import FobBase
import Foundation
import Glibc
import SerialIO

/// `fob ctl`: one request to a running keychain or bridge, its answer as a line of JSON.
struct Ctl: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Asks a running keychain or bridge for something.",
    discussion: """
      Of a keychain (fob emulate, fob run):
        press [--hold-ms N]   hold   release   press_every --ms N [--seed N]
        button --chatter true|false   stick   unstick
        battery [--percent N | --mv N] [--drain-per-hour N]   sag --mv N --ms N
        unplug   replug   reset   powercut [--ms N]   store --fail true|false
        gps --source SOURCE [--loop true] [--at-s S]
        clock --drift-ppm N   clock --jump-us N
        fault --kind drop|flip|double|insert|split|stall [--to host|device|both]
              [--rate 0.01 | --at BYTE [--count N]] [--seed N] [--ms N]
        fault --kind none   state   watch [--leds]   tap
        wait ready|linked|acked [--event B.N] [--timeout S]
      Of one keychain of many: --serial N; of all: --all
      Of a bridge (fob bridge, fob run):
        status   presses   incidents   subscribe   disarm --pin -   cancel
        silence   quit   resume   acknowledge --contact ID   tap

      --pin - reads the PIN from standard input, unseen where it is typed; --pin-file FILE from a
      file that its owner alone can read. No PIN stands in a command line, which others can read.

      What follows --NAME goes into the request's field NAME as it stands; who is asked checks it.

      Prints the answer, a line of JSON; watch, subscribe and tap print lines until Ctrl-C.
      """)

  @Argument(help: "What to ask for.")
  var request: String

  @Option(help: "The control socket. (default: the keychain's or the bridge's)")
  var socket: String?

  @Option(help: "Seconds until it gives up.")
  var timeout: Double = 10

  @Argument(parsing: .allUnrecognized, help: "What the request needs, as listed above.")
  var details: [String] = []

  func validate() throws {
    guard timeout > 0, timeout <= 86_400 else {
      throw ValidationError("--timeout takes up to 86400 seconds")
    }
    _ = try question()
  }

  /// The request as the control socket takes it.
  private func question() throws -> ControlQuestion {
    var question = try ControlQuestion(request == "watch" ? "subscribe" : request, details)
    guard (request == "wait") == (question.object != nil) else {
      throw ValidationError(
        request == "wait"
          ? "wait for what? write fob ctl wait ready, linked or acked"
          : "\(request) takes no second word")
    }
    switch request {
    case "wait":
      question["for"] = question.object.map { .text($0) }
      question["within_ms"] = .number(min(600_000, max(1, Int(timeout * 1_000))))
    case "disarm": try question.requirePINBeside()
    case "powercut": question["ms"] = question["ms"] ?? .number(1_000)
    default: break
    }
    return question
  }

  func run() throws {
    let isStream = ["watch", "subscribe", "tap"].contains(request)
    var question = try question()
    try question.readPIN()
    let deadline = BootClock.now() + .microseconds(Int64(timeout * 1e6))
    let client = try connect(isOfBridge: question.isOfBridge, until: deadline)
    try Failure.mapped {
      if isStream { return try stream(client, question) }
      let pages = ControlPages(client: client, question: question, deadline: deadline)
      let answer = try pages.answer()
      Terminal.line(answer)
      try ControlVerdict.check(answer, of: request)
    }
  }

  /// `wait` waits for the socket, too: whoever starts a keychain need not know when it is there.
  private func connect(
    isOfBridge: Bool, until deadline: Instant
  ) throws(Failure) -> ControlClient {
    let standard = isOfBridge ? RuntimeFolder.bridgeSocket : RuntimeFolder.keychainSocket
    while true {
      do throws(IOFailure) {
        if socket == nil { try RuntimeFolder.check() }
        return try ControlClient(path: socket ?? standard)
      } catch {
        // A folder of somebody else's stays so.
        guard error.errno != EPERM else { throw Failure(error) }
        guard request == "wait", BootClock.now() < deadline else {
          let what = isOfBridge ? "bridge" : "keychain"
          throw Failure(
            request == "wait" ? .timedOut : .unreachable,
            "\(error); is a \(what) running? name its socket with --socket")
        }
        usleep(10_000)
      }
    }
  }

  private func stream(_ client: ControlClient, _ question: ControlQuestion) throws {
    let line = String(decoding: try JSONEncoder().encode(question), as: UTF8.self)
    try client.send(line, before: .endOfTime)
    while let answer = try client.nextLine(before: .endOfTime) { Terminal.line(answer) }
  }
}

/// What every answer at a control socket says: whether it was done, else why not.
struct ControlVerdict: Decodable {
  let ok: Bool?
  let error: String?

  /// - Throws: `Failure` that names the request, unless `answer` is a line that says ok.
  static func check(_ answer: String, of request: String) throws(Failure) {
    let verdict = try? JSONDecoder().decode(ControlVerdict.self, from: Data(answer.utf8))
    guard verdict?.ok == true else {
      throw Failure(.refused, "\(request): \(verdict?.error ?? "the answer says not ok")")
    }
  }
}

extension Instant {
  /// The deadline of what may take for ever, as the next line of a stream.
  static let endOfTime = Instant(microseconds: .max / 2)
}

/// An answer of a control socket that comes in pages, put together as if it were one: `rows`, or
/// the keychains and links of `status`.
struct ControlPages {
  private typealias Object = [String: Any]

  let client: ControlClient
  let question: ControlQuestion
  let deadline: Instant

  /// One line of JSON.
  func answer() throws -> String {
    let first = try page(after: nil)
    guard var whole = Self.object(first), var more = Self.more(in: whole) else { return first }
    while true {
      let text = try page(after: more)
      guard let next = Self.object(text), (next["ok"] as? NSNumber)?.boolValue == true else {
        return text
      }
      Self.add(next, to: &whole)
      guard let further = Self.more(in: next), further > more else { break }
      more = further
    }
    whole["more"] = nil
    let data = try JSONSerialization.data(
      withJSONObject: whole, options: [.sortedKeys, .withoutEscapingSlashes])
    return String(decoding: data, as: UTF8.self)
  }

  private func page(after: Int64?) throws -> String {
    var question = question
    if let after { question["after"] = .number(Int(after)) }
    let line = String(decoding: try JSONEncoder().encode(question), as: UTF8.self)
    let left = deadline - BootClock.now() + .milliseconds(500)
    return try client.request(line, timeout: max(left, .milliseconds(1)))
  }

  private static func add(_ page: Object, to whole: inout Object) {
    if let rows = page["rows"] as? [Any] {
      whole["rows"] = (whole["rows"] as? [Any] ?? []) + rows
    }
    guard let status = page["status"] as? Object, var sum = whole["status"] as? Object else {
      return
    }
    for list in ["devices", "links"] {
      sum[list] = (sum[list] as? [Any] ?? []) + (status[list] as? [Any] ?? [])
    }
    whole["status"] = sum
  }

  private static func more(in page: Object) -> Int64? {
    (page["more"] as? NSNumber)?.int64Value
  }

  private static func object(_ line: String) -> Object? {
    (try? JSONSerialization.jsonObject(with: Data(line.utf8))) as? Object
  }
}
