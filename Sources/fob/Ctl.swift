import AlertCore
import ArgumentParser
import Bridge
import Control
import FobBase
import Foundation
import Glibc
import SerialIO

/// `fob ctl`: one request to a running keychain or bridge, its answer as a line of JSON. Each
/// request is a subcommand.
struct Ctl: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Asks a running keychain or bridge for something.",
    discussion: """
      A keychain is asked at fob emulate and fob run; bridge and core at fob bridge, fob core and \
      fob run. Prints the answer, a line of JSON; watch, subscribe and tap print lines until \
      Ctrl-C. Who is asked refuses a value that is out of range.
      """,
    groupedSubcommands: [
      CommandGroup(
        name: "Keychain",
        subcommands: [
          Press.self, Hold.self, Release.self, PressEvery.self, Button.self, Stick.self,
          Unstick.self, Battery.self, Sag.self, Clock.self, GPS.self, Unplug.self, Replug.self,
          Reset.self, Powercut.self, Store.self, Fault.self, State.self, Wait.self, Watch.self,
        ]),
      CommandGroup(
        name: "Bridge and core",
        subcommands: [
          Status.self, Presses.self, Incidents.self, Subscribe.self, Disarm.self, Cancel.self,
          Silence.self, Quit.self, Resume.self, Acknowledge.self, End.self, Tap.self, Code.self,
          CheckIns.self, Complete.self, Messages.self, Message.self, Slot.self,
          Exercises.self, Affirmations.self, Affirmation.self, Reviews.self, Review.self,
          Pair.self, Unpair.self,
        ]),
    ])

  /// Here, too, so that these may stand before the request.
  @OptionGroup var connection: CtlConnection

  func run() throws {
    throw Failure(.usage, "ask for what? fob ctl --help lists the requests")
  }

  /// A field's name may be typed as it stands in the request: `--hold_ms` is `--hold-ms`.
  static func dashed(_ arguments: [String]) -> [String] {
    guard arguments.first == "ctl" else { return arguments }
    return arguments.map { word in
      guard word.hasPrefix("--") else { return word }
      let name = word.prefix { $0 != "=" }
      return String(name.map { $0 == "_" ? "-" : $0 }) + word.dropFirst(name.count)
    }
  }
}

/// Where every request goes, and how long it takes at most.
struct CtlConnection: ParsableArguments {
  @Option(
    help: "The control socket. (default: the keychain's; or the bridge's, else the core's)",
    completion: .controlSocket)
  var socket: String?

  @Option(help: "Number of the account that is asked, of a core. (default: the first)")
  var account: AccountNumber?

  @Option(help: "Seconds until it gives up (up to 86400). (default: 20)")
  var timeout: Double?

  /// ``timeout``, or its default: longer than a core waits for the server of its store, so that its
  /// answer says what has become durable.
  var patience: Double { timeout ?? 20 }

  func validate() throws {
    guard patience > 0, patience <= 86_400 else {
      throw ValidationError("--timeout takes up to 86400 seconds")
    }
  }
}

/// A subcommand of `fob ctl`.
protocol CtlRequest: ParsableCommand {
  /// What is asked for.
  static var request: String { get }
  /// Its answer is lines without end.
  static var isStream: Bool { get }
  /// It waits for the socket, too: whoever starts a keychain need not know when it is there.
  static var awaitsSocket: Bool { get }

  var connection: CtlConnection { get }
  /// The request's fields; what is nil is left out.
  var fields: [String: Any?] { get throws }
  func question() throws -> ControlQuestion
}

extension CtlRequest {
  static var name: String { configuration.commandName ?? "\(Self.self)".lowercased() }
  static var request: String { name }
  static var isStream: Bool { false }
  static var awaitsSocket: Bool { false }

  var fields: [String: Any?] { [:] }

  func question() throws -> ControlQuestion { ControlQuestion(Self.request, try fields) }

  func validate() throws {
    guard !Self.isStream || connection.timeout == nil else {
      throw ValidationError("\(Self.name) goes on until Ctrl-C: --timeout says nothing to it")
    }
  }

  func run() throws {
    let question = try question().of(account: connection.account)
    let deadline = BootClock.now() + .microseconds(Int64(connection.patience * 1e6))
    let client = try connect(until: deadline)
    try Failure.mapped {
      if Self.isStream {
        try client.send(question.line(), before: .endOfTime)
        while let line = try client.nextLine(before: .endOfTime) { try Self.print(line) }
      } else {
        let pages = ControlPages(client: client, question: question, deadline: deadline)
        let answer = try pages.answer()
        Terminal.output(answer)
        try ControlVerdict.check(answer, of: Self.request) { Self.typed($0) }
      }
    }
  }

  /// Words that name fields of the request, with each as it is typed: `"hold_ms"` is `--hold-ms`,
  /// `"slot"` is `<slot>`, and `"all":true` is `--all`.
  static func typed(_ words: String) -> String {
    let help = Fob.helpMessage(for: Self.self)
    return words.replacing(/"([a-z_]+)"(?::(?:"([^"]*)"|true))?/) { found in
      let option = "--" + found.output.1.replacing("_", with: "-")
      let value = found.output.2.map { " \($0)" } ?? ""
      if help.contains("\(option) ") || help.contains("\(option)\n") { return option + value }
      return help.contains("<\(found.output.1)>")
        ? "<\(found.output.1)>" : String(words[found.range])
    }
  }

  /// A line of a stream.
  /// - Throws: where nobody reads it.
  static func print(_ line: String) throws(IOFailure) {
    Terminal.output(line)
    if let failure = Terminal.failure { throw failure }
  }

  func connect(until deadline: Instant) throws(Failure) -> ControlClient {
    let isOfBridge = BridgeControl.requests.contains(Self.name)
    let standard =
      isOfBridge
      ? [RuntimeFolder.bridgeSocket, RuntimeFolder.coreSocket] : [RuntimeFolder.keychainSocket]
    while true {
      do throws(IOFailure) {
        if connection.socket == nil { try RuntimeFolder.check() }
        return try Self.client(at: connection.socket.map { [$0] } ?? standard)
      } catch {
        // A folder of somebody else's stays so.
        guard error.errno != EPERM else { throw Failure(error) }
        guard Self.awaitsSocket, BootClock.now() < deadline else {
          let what = isOfBridge ? "bridge" : "keychain"
          throw Failure(
            Self.awaitsSocket ? .timedOut : .unreachable,
            "\(error); is a \(what) running? name its socket with --socket")
        }
        usleep(10_000)
      }
    }
  }

  /// The first of them at which somebody listens.
  private static func client(at paths: [String]) throws(IOFailure) -> ControlClient {
    do throws(IOFailure) {
      return try ControlClient(path: paths[0])
    } catch {
      for path in paths.dropFirst() {
        if let other = try? ControlClient(path: path) { return other }
      }
      throw error
    }
  }
}

/// What every answer at a control socket says: whether it was done, else why not.
struct ControlVerdict: Decodable {
  let ok: Bool?
  let error: String?

  /// - Parameter words: what to say in place of the error that was answered.
  /// - Throws: `Failure` that names the request, unless `answer` is a line that says ok.
  static func check(
    _ answer: String, of request: String, words: (String) -> String = { $0 }
  ) throws(Failure) {
    let verdict = try? JSONDecoder().decode(ControlVerdict.self, from: Data(answer.utf8))
    guard verdict?.ok == true else {
      let reason = words(verdict?.error ?? "the answer says not ok")
      // It may begin with the request, or with a field of the same name.
      let isNamed = ["\(request): ", "\(request) "].contains { reason.hasPrefix($0) }
      throw Failure(.refused, isNamed ? reason : "\(request): \(reason)")
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
    let line = try (after.map(question.after) ?? question).line()
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
