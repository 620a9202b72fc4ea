import ArgumentParser
import Bridge
import Control
import FobBase
import Foundation
import SerialIO

/// `fob ctl`: one request to a running keychain or bridge, its answer as a line of JSON.
struct Ctl: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Asks a running keychain or bridge for something.",
    discussion: """
      Of a keychain (fob emulate, fob run):
        press [--hold-ms N]   hold   release   battery --percent N   unplug   replug
        reset   powercut [--ms N]   state   watch [--leds]
        wait ready|linked|acked [--event B.N] [--timeout S]
      Of a bridge (fob bridge, fob run):
        status   presses   incidents   subscribe   disarm --pin NNNN   cancel   silence
        quit   resume   acknowledge --contact ID

      Prints the answer, a line of JSON; watch and subscribe print lines until Ctrl-C.
      """)

  @Argument(help: "What to ask for.")
  var request: String

  @Argument(help: "For wait: ready, linked or acked.")
  var argument: String?

  @Option(help: "The control socket. (default: the keychain's or the bridge's)")
  var socket: String?

  @Option(help: "For press: how long the button is held, in milliseconds.")
  var holdMs: Int?

  @Option(help: "For battery: the charge in per cent.")
  var percent: Int?

  @Option(help: "For powercut: how long power is off, in milliseconds.")
  var ms: Int?

  @Option(help: "For disarm: the PIN, four digits.")
  var pin: String?

  @Option(help: "For acknowledge: the contact's id.")
  var contact: String?

  @Option(help: "For wait acked: the event, as in 1.3.")
  var event: String?

  @Flag(help: "For watch: every change of the light.")
  var leds = false

  @Option(help: "Seconds until it gives up.")
  var timeout: Double = 10

  private var isOfBridge: Bool { BridgeControl.requests.contains(request) }

  private struct Question: Encodable {
    let `do`: String
    var `for`: String?
    var holdMs: Int?
    var percent: Int?
    var ms: Int?
    var withinMs: Int?
    var pin: String?
    var contact: String?
    var event: String?
    var leds: Bool?

    enum CodingKeys: String, CodingKey {
      case `do`, `for`, percent, ms, pin, contact, event, leds
      case holdMs = "hold_ms"
      case withinMs = "within_ms"
    }
  }

  private struct Verdict: Decodable {
    let ok: Bool?
    let error: String?
  }

  func validate() throws {
    guard timeout > 0, timeout <= 86_400 else {
      throw ValidationError("--timeout takes up to 86400 seconds")
    }
    guard (request == "wait") == (argument != nil) else {
      throw ValidationError(
        request == "wait"
          ? "wait for what? write fob ctl wait ready, linked or acked"
          : "\(request) takes no second word")
    }
  }

  func run() throws {
    let isStream = request == "watch" || request == "subscribe"
    let patience = request == "wait" ? min(600_000, max(1, Int(timeout * 1_000))) : nil
    let question = Question(
      do: request == "watch" ? "subscribe" : request, for: argument, holdMs: holdMs,
      percent: percent, ms: request == "powercut" ? ms ?? 1_000 : ms, withinMs: patience, pin: pin,
      contact: contact, event: event, leds: leds ? true : nil)
    let line = String(decoding: try JSONEncoder().encode(question), as: UTF8.self)
    let path =
      socket
      ?? (isOfBridge ? RuntimeFolder.bridgeSocket : RuntimeFolder.keychainSocket)
    let deadline = BootClock.now() + .microseconds(Int64(timeout * 1e6))
    let client = try connect(path, until: deadline)
    try Failure.mapped {
      if isStream { return try stream(client, line) }
      let left = deadline - BootClock.now() + .milliseconds(500)
      let answer = try client.request(line, timeout: max(left, .milliseconds(1)))
      Console.line(answer)
      let verdict = try? JSONDecoder().decode(Verdict.self, from: Data(answer.utf8))
      guard verdict?.ok == true else {
        throw Failure(.refused, "\(request): \(verdict?.error ?? "the answer says not ok")")
      }
    }
  }

  /// `wait` waits for the socket, too: whoever starts a keychain need not know when it is there.
  private func connect(_ path: String, until deadline: Instant) throws(Failure) -> ControlClient {
    while true {
      do throws(IOFailure) {
        return try ControlClient(path: path)
      } catch {
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

  private func stream(_ client: ControlClient, _ line: String) throws(IOFailure) {
    let forEver = BootClock.now() + .seconds(365 * 86_400)
    try client.send(line, before: forEver)
    while let answer = try client.nextLine(before: forEver) { Console.line(answer) }
  }
}
