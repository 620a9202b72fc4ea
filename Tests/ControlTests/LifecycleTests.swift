import Control
import FobBase
import Glibc
import SerialIO
import TestSupport
import Testing

@Suite struct LifecycleTests {
  @Test func `a stop closes the clients and removes the socket`() throws {
    let fixture = try Fixture()
    let client = try fixture.client()
    _ = try client.request(#"{"n":1}"#)
    #expect(fixture.server.stop())
    #expect(try client.nextLine(before: Fixture.deadline()) == nil)
    #expect(access(fixture.server.path, F_OK) != 0)
    #expect(fixture.server.stop(), "a second stop is harmless")
  }

  @Test func `a live socket is not taken over`() throws {
    let fixture = try Fixture()
    let path = fixture.server.path
    let refusal = #expect(throws: IOFailure.self) {
      _ = try ControlServer(path: path, handler: Fixture.echo)
    }
    #expect(refusal?.description == "cannot listen at \(path): another process listens there")
    #expect(try fixture.client().request(#"{"n":1}"#) == #"{"n":1}"#)
  }

  @Test func `a server can start again where one has stopped`() throws {
    let directory = try ScratchDirectory()
    let path = "\(directory.path)/control"
    for _ in 0..<5 {
      let server = try ControlServer(path: path, handler: Fixture.echo)
      #expect(try ControlClient(path: path).request(#"{"n":1}"#) == #"{"n":1}"#)
      #expect(server.stop())
    }
  }

  @Test func `a client without a server is told the path`() {
    let refusal = #expect(throws: IOFailure.self) { try ControlClient(path: "/no/such/socket") }
    #expect(refusal?.description == "cannot connect to /no/such/socket: No such file or directory")
  }

  @Test func `a timeout closes the client, so that no late answer is taken for another's`() throws {
    let fixture = try Fixture { _, reply in withExtendedLifetime(reply.stream()) {} }
    let client = try fixture.client()
    let timeout = #expect(throws: IOFailure.self) {
      try client.request("{}", timeout: .milliseconds(1))
    }
    #expect(timeout?.errno == ETIMEDOUT)
    let refusal = #expect(throws: IOFailure.self) { try client.request("{}") }
    #expect(refusal?.errno == ENOTCONN)
  }

  @Test func `a server that closes before it answers is an error at once`() throws {
    let fixture = try Fixture()
    let client = try fixture.client()
    _ = try client.request(#"{"n":1}"#)
    #expect(fixture.server.stop())
    let refusal = #expect(throws: IOFailure.self) { try client.request(#"{"n":1}"#) }
    #expect([ECONNRESET, EPIPE].contains(refusal?.errno))
  }
}
