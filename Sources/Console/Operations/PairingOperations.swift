import AlertCore
import Bridge
import FobBase
import Hummingbird
import WireProtocol

/// Keys of keychains on lines of this core (PROTOCOL.md, 15).
enum PairingOperations {
  private static let id = Operation.Parameter.path("id", .device, "The keychain")
  private static let form = Operation.Form.json(
    .closed(.optional("pin", .pin)), isRequired: false)
  /// Longer than a code with a space between any two letters.
  private static let pairForm = Operation.Form.json(
    .closed(.optional("pin", .pin), .optional("label", .text(1...200))), isRequired: false)
  private static let problems = Operation.refusals.union([424])
  /// The keychain is asked for ten seconds; what else it takes is less than one.
  private static let patience = Interval.seconds(13)

  static let all = [
    Operation(
      method: .put, path: "/v1/devices/{id}/pairing", scope: .administer,
      summary: """
        Pairs a keychain whose button has been held since its power-on; with the code of its label \
        one that has its key from the factory, at a bridge on another host, too
        """,
      parameters: [id], form: pairForm,
      success: [.json(.reference("Done"), "Each believes the other alone")], problems: problems,
      handler: pair),
    Operation(
      method: .delete, path: "/v1/devices/{id}/pairing", scope: .administer,
      summary: "Ends the pairing of a keychain", parameters: [id], form: form,
      success: [
        .json(.reference("Done"), "It is as before its pairing; a warning where it is not")
      ],
      problems: problems, handler: unpair),
  ]

  private struct Asked: Decodable {
    let pin: String?
    let label: String?
  }

  private static func pair(_ call: Call) async throws -> Response {
    let label = try label(of: call)
    let refusal = try await ask(call) { core, device, pin, who, source, answer in
      if let label {
        core.pair(device, by: label, pin: pin, by: who, source: source, answer: answer)
      } else {
        core.pair(device, pin: pin, by: who, source: source, answer: answer)
      }
    }
    if let refusal { throw problem(refusal, call) }
    return done(call)
  }

  private static func label(of call: Call) throws -> LabelCode? {
    let asked: Asked = try call.decode()
    do throws(LabelCode.Refusal) {
      return try asked.label.map { text throws(LabelCode.Refusal) in try LabelCode(text) }
    } catch {
      throw Problem(.unprocessableContent, "labelMistyped", error.description, field: "label")
    }
  }

  /// The core has forgotten the key also where the keychain has not answered.
  private static func unpair(_ call: Call) async throws -> Response {
    let refusal = try await ask(call) { $0.unpair($1, pin: $2, by: $3, source: $4, answer: $5) }
    if let refusal, refusal.warning == nil { throw problem(refusal, call) }
    return done(call, warning: refusal?.warning)
  }

  private static func done(_ call: Call, warning: String? = nil) -> Response {
    let answer = Answer(state: call.core.status.state, refusal: nil, isDurable: true)
    return Reply.json(Done(answer, warning: warning))
  }

  private typealias Answerer = @Sendable (PairingRefusal?) -> Void

  private static func ask(
    _ call: Call,
    _ ask:
      @escaping @Sendable (any Core, DeviceID, String?, String, PINSource, @escaping Answerer)
      -> Void
  ) async throws -> PairingRefusal? {
    guard let device = DeviceID(text: call.parameter("id")) else { throw Problem.notFound }
    let asked: Asked = try call.decode()
    let (core, who, source) = (call.core, call.who, call.source)
    let waiting = Waiting<PairingRefusal?>()
    let isTaken = call.api.pins.put(of: call.owner) {
      ask(core, device, asked.pin, who, source) { waiting.put($0) }
    }
    guard isTaken else { throw Problem.busy("PINs") }
    guard let answer = await waiting.get(within: patience) else {
      throw Problem(.failedDependency, "noAnswer", PairingRefusal.unanswered.description)
    }
    return answer
  }

  private static func problem(_ refusal: PairingRefusal, _ call: Call) -> Problem {
    if case .refused(let refused) = refusal { return call.problem(refused) }
    let (status, code): (HTTPResponse.Status, String) =
      switch refusal {
      case .notLinked, .refused: (.conflict, "notLinked")
      case .remote: (.conflict, "remoteKeychain")
      case .severalLines: (.conflict, "severalLines")
      case .underWay: (.conflict, "pairingRuns")
      case .notPaired: (.conflict, "notPaired")
      case .labelOf: (.conflict, "labelOfAnother")
      case .notProved: (.conflict, "keyNotProved")
      case .noPresence: (.conflict, "notHeld")
      case .unanswered: (.failedDependency, "noAnswer")
      case .storeFailed: (.failedDependency, "notStored")
      case .notKept: (.serviceUnavailable, "keyNotKept")
      }
    return Problem(status, code, refusal.description)
  }
}
