import Foundation
import TestSupport
import Testing

/// What is written by a program and checked in is what the program writes today.
@Suite struct GeneratedTests {
  @Test func `generated files are what messages json makes`() throws {
    let (status, said) = try python("firmware-protocol/generate --check")
    #expect(status == 0, "\(said)")
  }

  @Test func `generated vectors are what reference py makes`() throws {
    let (status, said) = try python("firmware-protocol/reference.py --check")
    #expect(status == 0, "\(said)")
  }

  @Test func `a generated file that somebody has edited is named`() throws {
    let scratch = try ScratchDirectory()
    let edited = "Sources/WireProtocol/Messages/Generated/Heartbeat.swift"
    let parts = [
      "firmware-protocol", "Sources/WireProtocol/Messages", "Sources/Capture/Messages",
      "Tests/WireProtocolTests",
    ]
    for part in parts {
      try Shell.must("mkdir -p '\(scratch.path(part))'")
      try Shell.must(
        "cp -r '\(TestSupport.Repository.root.path)/\(part)/.' '\(scratch.path(part))'")
    }
    #expect(try python("firmware-protocol/generate --check", in: scratch.path("")).status == 0)
    try Shell.must("sed -i 's/UInt32/Int32/' '\(scratch.path(edited))'")
    let (status, said) = try python("firmware-protocol/generate --check", in: scratch.path(""))
    #expect(status != 0 && said.contains(edited), "\(said)")
  }

  private func python(
    _ command: String, in folder: String = TestSupport.Repository.root.path
  ) throws -> (status: Int32, said: String) {
    let (status, output) = try Shell.run("cd '\(folder)' && python3 -B \(command) 2>&1")
    return (status, String(decoding: output, as: UTF8.self))
  }
}

extension Shell {
  fileprivate static func must(_ command: String) throws { try #require(run(command).status == 0) }
}
