import AlertCore
import Foundation
import HTTPTypes

extension Call {
  /// The draft in the body.
  /// - Throws: `Problem` with the name of the member that no series can have.
  func draft() throws(Problem) -> CheckInDraft {
    do {
      return try JSONDecoder().decode(CheckInDraft.self, from: body.bytes)
    } catch {
      guard let (field, reason) = (error as? DecodingError)?.memberAndReason else {
        throw Problem(.unprocessableContent, "wrongShape", "the body is no draft of a series")
      }
      throw .wrong(field, reason)
    }
  }

  /// The PIN in the body.
  var pin: String? { body.json["pin"]?.text }
}

extension Problem {
  /// A field whose shape is right and whose value is not.
  static func wrong(_ field: String, _ reason: String) -> Problem {
    Problem(.unprocessableContent, "invalid", reason, field: field)
  }
}

extension DecodingError {
  /// As in "rule.day" and "it is missing".
  fileprivate var memberAndReason: (member: String, reason: String) {
    func name(_ path: [any CodingKey]) -> String { path.map(\.stringValue).joined(separator: ".") }
    return switch self {
    case .keyNotFound(let key, let context): (name(context.codingPath + [key]), "it is missing")
    case .dataCorrupted(let context), .typeMismatch(_, let context), .valueNotFound(_, let context):
      (name(context.codingPath), context.debugDescription)
    @unknown default: ("", "it is no draft of a series")
    }
  }
}
