import Control
import FobBase
import Foundation
import SerialIO
import TestSupport
import Testing

@testable import fob

@Suite struct ControlPagesTests {
  private struct Asked: Decodable {
    var after: Int?
  }

  private struct Page: Encodable {
    let ok = true
    let rows: [Int]
    var more: Int?
  }

  private struct Status: Encodable {
    struct Body: Encodable {
      let devices: [Int]
      let links: [Int]
      let summary = "All good!"
    }

    let ok = true
    let status: Body
    var more: Int?
  }

  @Test func `an answer in pages is printed as one`() throws {
    let answer = try answer { after in
      Page(rows: Array(after..<min(after + 10, 35)), more: after + 10 < 35 ? after + 10 : nil)
    }
    let all = (0..<35).map { "\($0)" }.joined(separator: ",")
    #expect(answer == #"{"ok":true,"rows":[\#(all)]}"#)
  }

  @Test func `the keychains of a status are put together, the rest stands in each page`() throws {
    let answer = try answer { after in
      Status(
        status: Status.Body(devices: [after], links: after == 0 ? [7] : []),
        more: after < 2 ? after + 1 : nil)
    }
    #expect(
      answer
        == #"{"ok":true,"status":{"devices":[0,1,2],"links":[7],"summary":"All good!"}}"#)
  }

  @Test func `an answer of one page is printed as it came, and one that never ends does`() throws {
    #expect(try answer { _ in Page(rows: [1]) } == #"{"ok":true,"rows":[1]}"#)
    #expect(try answer { _ in Page(rows: [1], more: 5) } == #"{"ok":true,"rows":[1,1]}"#)
  }

  private func answer(_ page: @escaping @Sendable (Int) -> any Encodable) throws -> String {
    let folder = try ScratchDirectory()
    let server = try ControlServer(path: folder.path + "/control") { request, reply in
      let asked = try? request.decode(Asked.self)
      reply.send(AnyEncodable(page(asked?.after ?? 0)))
    }
    defer { server.stop() }
    let client = try ControlClient(path: folder.path + "/control")
    return try ControlPages(
      client: client, question: ControlQuestion("presses"),
      deadline: BootClock.now() + .seconds(30)
    ).answer()
  }

  private struct AnyEncodable: Encodable {
    let value: any Encodable
    init(_ value: any Encodable) { self.value = value }
    func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
  }
}
