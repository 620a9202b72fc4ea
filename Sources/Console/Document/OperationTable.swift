import Foundation
import HTTPTypes

/// Every operation, and the search for a request's one.
struct OperationTable: Sendable {
  let operations: [Operation]
  /// Their paths in parts, by how many these are: a bridge asks for each frame of a keychain.
  private let routes: [Int: [(parts: [Substring], operation: Operation)]]

  enum Match {
    case found(Operation, parameters: [String: String])
    /// The path exists, but only for these methods.
    case otherMethods([String])
    case none
  }

  private init(_ operations: [Operation]) {
    self.operations = operations
    let routes = operations.map { (parts: $0.path.split(separator: "/"), operation: $0) }
    self.routes = Dictionary(grouping: routes) { $0.parts.count }
  }

  static let standard = OperationTable(
    SessionOperations.all + StatusOperations.all + DeviceOperations.all
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
    for (wanted, operation) in routes[parts.count] ?? [] {
      guard let parameters = Self.parameters(of: parts, as: wanted) else { continue }
      if operation.method == method { return .found(operation, parameters: parameters) }
      others.append(operation.method.rawValue)
    }
    return others.isEmpty ? .none : .otherMethods(Set(others).sorted())
  }

  private static func parameters(
    of parts: ArraySlice<Substring>, as wanted: [Substring]
  ) -> [String: String]? {
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
