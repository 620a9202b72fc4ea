import Foundation
import Testing

@Suite struct LayeringTests {
  @Test func `a target imports only lower levels, and of others only what its row allows`() {
    #expect(Repository.sources.count >= 60, "the sources were not found")
    expectNone(Layer.offences(in: Repository.sources))
  }

  @Test func `every folder of Sources has a row, and every row a folder`() throws {
    let folders = try FileManager.default.contentsOfDirectory(
      atPath: Repository.root.appending(path: "Sources").path)
    #expect(Set(folders) == Set(Layer.table.keys))
  }

  @Test func `every row but the shims holds Swift files that are read`() {
    let read = Set(Repository.sources.map(\.target))
    let shims: Set = [
      "CCurl", "CLinux", "CMosquitto", "COpenSSL", "CPage", "CPostgres", "CProcessor", "CQRencode",
      "CUdev", "CUSB", "CZlib",
    ]
    #expect(Set(Layer.table.keys).subtracting(shims).subtracting(read) == [])
  }

  @Test(arguments: [
    ("NMEA", "import WireProtocol"),
    ("WireProtocol", "public import Firmware"),
    ("FobBase", "import Glibc"),
    ("AlertCore", "import Foundation"),
    ("AlertCore", "internal import CLinux"),
    ("Firmware", "import struct Foundation.Date"),
    ("SerialIO", "import Foundation"),
    ("Control", "import Logging"),
    ("Emulator", "@preconcurrency import Dispatch"),
    ("Emulator", "import Transport"),
    ("Sinks", "import GRDB"),
    ("Bridge", "@_exported public import Yams"),
    ("Bridge", "import fob"),
    ("Utils", "import FobBase"),
    ("NMEA", "#if canImport(Glibc)\n  import Glibc\n#endif"),
  ])
  func `a planted import is refused`(target: String, text: String) {
    let file = SwiftFile(path: "Sources/\(target)/Planted.swift", text: text)
    #expect(Layer.offences(in: [file]).count == 1)
  }

  @Test(arguments: [
    ("Firmware", "public import WireProtocol\nimport FobBase"),
    ("SerialIO", "import CLinux\nimport Glibc"),
    ("Storage", "import GRDB\nimport Logging\npackage import AlertCore"),
    ("fob", "import ArgumentParser\nimport Bridge"),
    ("NMEA", "// import Foundation\nlet a = \"import Foundation\"\nx.import(Foundation)"),
  ])
  func `an allowed import passes`(target: String, text: String) {
    let file = SwiftFile(path: "Sources/\(target)/Fine.swift", text: text)
    expectNone(Layer.offences(in: [file]))
  }
}
