import Foundation
import HTTPTypes

/// Every operation, and the search for a request's one.
struct OperationTable: Sendable {
  let operations: [Operation]

  enum Match {
    case found(Operation, parameters: [String: String])
    /// The path exists, but only for these methods.
    case otherMethods([String])
    case none
  }

  static let standard = OperationTable(
    operations: SessionOperations.all + StatusOperations.all + DeviceOperations.all
      + PairingOperations.all
      + AccountsOperations.all + AccountOperations.all + ContactOperations.all
      + IncidentOperations.all
      + CheckInSeriesOperations.all + CheckInOperations.all + StatisticsOperations.all
      + MessageOperations.all + MessageFileOperations.all + HelpOperations.all
      + ReviewOperations.all + ExerciseOperations.all + AffirmationOperations.all
      + NotificationOperations.all
      + EventOperations.all + FeedOperations.all + AcknowledgeOperations.all
      + BenchOperations.all + ConformanceOperations.all
      + ServiceOperations.all)

  func match(_ method: HTTPRequest.Method, _ path: String) -> Match {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
    var others: [String] = []
    for operation in operations {
      guard let parameters = Self.parameters(of: parts, in: operation.path) else { continue }
      if operation.method == method { return .found(operation, parameters: parameters) }
      others.append(operation.method.rawValue)
    }
    return others.isEmpty ? .none : .otherMethods(Set(others).sorted())
  }

  private static func parameters(
    of parts: ArraySlice<Substring>, in template: String
  ) -> [String: String]? {
    let wanted = template.split(separator: "/")
    guard wanted.count == parts.count else { return nil }
    var parameters: [String: String] = [:]
    for (wanted, part) in zip(wanted, parts) {
      if wanted.first == "{" {
        guard let text = part.removingPercentEncoding, !text.isEmpty else { return nil }
        parameters[String(wanted.dropFirst().dropLast())] = text
      } else if wanted != part {
        return nil
      }
    }
    return parameters
  }
}
