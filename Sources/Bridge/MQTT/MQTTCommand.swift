import AlertCore
import FobBase
import Foundation

/// What somebody asks of a core by a broker: JSON at `TOPIC/command`. It names the incident that
/// its sender saw, so one that the broker had kept does nothing to a later alarm.
package struct MQTTCommand: Decodable, Equatable, Sendable {
  package enum Word: String, Decodable, Sendable, CaseIterable {
    case acknowledge, silence, disarm
  }

  package let command: Word
  /// As `TOPIC/alarm` has it.
  package let incident: String
  /// For `disarm`, as it was typed.
  package let pin: String?
  /// Who acknowledges; nil: the channel itself.
  package let contact: String?
  /// Comes back in the answer, so that its sender knows it again.
  package let id: String?

  /// - Returns: nil for what is no command.
  package init?(_ payload: [UInt8]) {
    guard payload.withUnsafeBytes({ Self.bounds.excess(in: $0) }) == nil,
      let command = try? JSONDecoder().decode(Self.self, from: Data(payload)),
      command.incident.utf8.count <= 64, (command.id?.utf8.count ?? 0) <= 64
    else { return nil }
    self = command
  }

  private static let bounds = JSONBounds(depth: 2, values: 16, word: 16)

  /// What became of a command: `TOPIC/result`.
  struct Outcome: Encodable {
    let command: String?
    let incident: String?
    let id: String?
    /// `done`, or the code of the refusal as the API has it.
    let result: String
    /// The refusal in words.
    let text: String?

    /// Nil where the effect is durable.
    init(_ command: MQTTCommand?, _ refusal: (code: String, text: String)?) {
      self.command = command?.command.rawValue
      incident = command?.incident
      id = command?.id
      result = refusal?.code ?? "done"
      text = refusal?.text
    }

    static let unreadable = Outcome(
      nil,
      (
        "invalid",
        "write {\"command\": \"acknowledge\", \"silence\" or \"disarm\", \"incident\": …}"
      ))
  }
}
