import Foundation
import HTTPTypes
import Testing

@testable import Console

/// The document and the routes are one table.
struct DocumentTests {
  @Test func `the document that is served has each route, and no other`() async throws {
    try await Rig.run { rig in
      let answer = try await rig.ask("GET", "/v1/openapi.json", as: nil)
      let document: JSONValue = try answer.json()
      #expect(document["openapi"]?.text == "3.1.0")
      guard case .object(let paths)? = document["paths"] else {
        Issue.record("no paths")
        return
      }
      var documented: Set<String> = []
      for (path, methods) in paths {
        guard case .object(let methods) = methods else { continue }
        for method in methods.keys { documented.insert("\(method.uppercased()) \(path)") }
      }
      #expect(documented == Set(OperationTable.standard.operations.map(\.name)))
      for operation in OperationTable.standard.operations {
        let answer = try await rig.ask(
          operation.method.rawValue, AuthorizationTests.path(of: operation), as: nil, json: "!")
        #expect(answer.status != 405, "\(operation.name)")
      }
    }
  }

  @Test func `each operation is named once, and each reference leads somewhere`() throws {
    let operations = OperationTable.standard.operations
    #expect(Set(operations.map(\.name)).count == operations.count)
    let text = String(
      decoding: try JSONEncoder().encode(OpenAPI(.standard).json), as: UTF8.self
    ).replacing("\\/", with: "/")
    let references = text.matches(of: /#\/components\/schemas\/([A-Za-z]+)/).map { $0.output.1 }
    #expect(references.count > 20)
    for reference in references { #expect(Components.all[String(reference)] != nil) }
    let identifiers = text.matches(of: /"operationId":"([A-Za-z0-9]+)"/).map { $0.output.1 }
    #expect(Set(identifiers).count == operations.count)
  }

  @Test func `each parameter of a path is declared`() {
    for operation in OperationTable.standard.operations {
      let named = operation.path.matches(of: /\{([a-z]+)\}/).map { String($0.output.1) }
      #expect(
        named == operation.parameters.filter { $0.place == .path }.map(\.name), "\(operation.name)")
    }
  }

  @Test(arguments: [
    (#""a""#, true), ("1", false), (#"{"a":1}"#, false), (#""abcd""#, false), (#""""#, false),
    (#""\u0000""#, false), (#""éé""#, true),
  ])
  func `a text has its limits in code points`(json: String, isRight: Bool) throws {
    let value = try JSONValue(Data(json.utf8))
    let found = (try? JSONSchema.text(1...3).check(value)) != nil
    #expect(found == isRight)
  }

  @Test(arguments: [
    (1...1, "one character"), (5...5, "5 characters"), (0...160, "no more than 160 characters"),
    (1...160, "1 to 160 characters"),
  ])
  func `how long a text may be is said as a person says it`(
    range: ClosedRange<Int>, words: String
  ) {
    #expect(throws: JSONSchema.Mismatch(field: "a", reason: words)) {
      try JSONSchema.text(range).check(.string(String(repeating: "a", count: 161)), at: "a")
    }
  }

  @Test(arguments: [(JSONSchema.integer(1...5), "1 to 5, not -1"), (.count, "0 or more, not -1")])
  func `how large an integer may be is said as a person says it`(schema: JSONSchema, words: String)
  {
    #expect(throws: JSONSchema.Mismatch(field: "a", reason: words)) {
      try schema.check(.integer(-1), at: "a")
    }
  }

  @Test(arguments: ["null", "true", "-3", "1.5", "\"é\"", "[1,[],{}]", #"{"a":{"b":[null]}}"#])
  func `a value is written as it was read`(json: String) throws {
    let value = try JSONValue(Data(json.utf8))
    #expect(try JSONValue(JSONEncoder().encode(value)) == value)
  }
}
