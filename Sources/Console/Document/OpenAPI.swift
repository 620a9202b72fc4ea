import HTTPTypes

/// The OpenAPI 3.1 document, made from the table that also routes requests.
struct OpenAPI: Sendable {
  private let table: OperationTable

  init(_ table: OperationTable) { self.table = table }

  var json: JSONValue {
    var paths: [String: JSONValue] = [:]
    for operation in table.operations {
      guard case .object(var methods) = paths[operation.path, default: .object([:])] else {
        continue
      }
      methods[operation.method.rawValue.lowercased()] = Self.json(operation)
      paths[operation.path] = .object(methods)
    }
    return [
      "openapi": "3.1.0",
      "info": [
        "title": "fob", "version": "1",
        "description": .string(Self.description),
        "license": ["name": "see the repository"],
      ],
      "servers": [["url": "/"]],
      "paths": .object(paths),
      "components": [
        "schemas": .object(Components.all.mapValues(\.json)),
        "securitySchemes": [
          "token": ["type": "http", "scheme": "bearer"],
          "page": [
            "type": "apiKey", "in": "cookie", "name": "fob-8787",
            "description": "fob- and the port of the address; fob where it names none.",
          ],
          "pageKey": ["type": "apiKey", "in": "header", "name": "Fob-Session-Key"],
        ],
      ],
    ]
  }

  private static let description = """
    The alert core of keychain panic alarms. Times named wall are microseconds since 1970 UTC. \
    What is done is durable when it is answered. Every error is a problem (RFC 9457) with a code.
    """

  private static func json(_ operation: Operation) -> JSONValue {
    var members: [String: JSONValue] = [
      "summary": .string(operation.summary),
      "operationId": .string(identifier(of: operation)),
      "tags": [.string(tag(of: operation))],
      "responses": .object(responses(of: operation)),
      "security": [],
    ]
    if let scope = operation.scope {
      members["security"] =
        scope == .feed ? [["token": []]] : [["token": []], ["page": [], "pageKey": []]]
      let whose = operation.isOfCore ? ", by a token of the whole core" : ""
      members["description"] = .string("Needs scope \(scope.rawValue)\(whose).")
    }
    if !operation.parameters.isEmpty {
      members["parameters"] = .array(operation.parameters.map(json))
    }
    if let body = body(of: operation.form) { members["requestBody"] = body }
    return .object(members)
  }

  private static func json(_ parameter: Operation.Parameter) -> JSONValue {
    [
      "name": .string(parameter.name), "in": .string(parameter.place.rawValue),
      "required": .boolean(parameter.place == .path), "schema": parameter.schema.json,
      "description": .string(parameter.summary),
    ]
  }

  private static func body(of form: Operation.Form) -> JSONValue? {
    switch form {
    case .nothing, .button: nil
    case .json(let schema, let isRequired):
      [
        "required": .boolean(isRequired),
        "content": ["application/json": ["schema": schema.json]],
      ]
    case .text(let types, let schema):
      [
        "required": true,
        "content": .object(
          Dictionary(
            types.map { ($0, ["schema": ["type": "string"]]) }
              + [("application/json", ["schema": schema.json])]
          ) { $1 }),
      ]
    }
  }

  private static func responses(of operation: Operation) -> [String: JSONValue] {
    var responses: [String: JSONValue] = [:]
    // Several forms of one status are one answer in several types.
    for (status, forms) in Dictionary(grouping: operation.success, by: \.status.code) {
      let summaries = forms.map(\.summary).joined(separator: "; ")
      var members: [String: JSONValue] = ["description": .string(summaries)]
      var content: [String: JSONValue] = [:]
      for form in forms {
        switch form.content {
        case .nothing: break
        case .json(let schema): content["application/json"] = ["schema": schema.json]
        case .other(let type): content[type] = ["schema": ["type": "string"]]
        }
      }
      if !content.isEmpty { members["content"] = .object(content) }
      responses["\(status)"] = .object(members)
    }
    for status in operation.allProblems {
      responses["\(status)"] = [
        "description": .string(words[status] ?? "A problem."),
        "content": [
          "application/problem+json": ["schema": ["$ref": "#/components/schemas/Problem"]]
        ],
      ]
    }
    return responses
  }

  private static let words: [Int: String] = [
    400: "The request cannot be read.",
    401: "A token is needed, or is not known.",
    403: "A wider scope, or the right PIN, is needed.",
    404: "There is no such thing.",
    409: "It contradicts what is.",
    413: "The body is too large.",
    415: "The body is of another type.",
    421: "This server does not answer to that host name.",
    422: "A field is wrong; it is named.",
    423: "Locked while an alarm is active or a press is being read.",
    424: "The mail was not sent.",
    429: "Too often; wait as Retry-After says.",
    503: "Busy, or the store fails and the effect is not durable.",
  ]

  /// As in "getV1IncidentsId".
  private static func identifier(of operation: Operation) -> String {
    let words = operation.path.split { !$0.isLetter && !$0.isNumber }
    return operation.method.rawValue.lowercased()
      + words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
  }

  private static func tag(of operation: Operation) -> String {
    let parts = operation.path.split(separator: "/")
    return String((parts.first == "v1" ? parts.dropFirst().first : parts.first) ?? "service")
  }
}
