import Foundation
import TestSupport
import Testing

/// `make install-udev` and `make uninstall-udev` below a folder.
@Suite struct UdevInstallTests {
  private let scratch: ScratchDirectory

  init() throws { scratch = try ScratchDirectory() }

  @Test func `the rule is installed readable by all, again without harm, and taken away`() throws {
    let rule = scratch.path("etc/udev/rules.d/70-fob.rules")
    for _ in 0..<2 {
      let (output, status) = try udev("install")
      #expect(status == 0 && output == "udev: installed \(rule)\n", "\(output)")
      #expect(FileManager.default.contentsEqual(atPath: rule, andPath: UdevRulesTests.path))
      let mode = try FileManager.default.attributesOfItem(atPath: rule)[.posixPermissions] as? Int
      #expect(mode == 0o644)
    }
    let (output, status) = try udev("uninstall")
    #expect(status == 0 && output.contains("removed \(rule)"), "\(output)")
    #expect(!FileManager.default.fileExists(atPath: rule))
    let (again, code) = try udev("uninstall")
    #expect(code == 0 && again.contains("is not there"), "\(again)")
  }

  @Test func `another word is refused with those that are known`() throws {
    let (output, status) = try udev("reinstall")
    #expect(status == 64 && output.contains("install|uninstall"))
  }

  @Test func `make has both, and the Debian package brings the rule`() throws {
    let makefile = try text("Makefile")
    #expect(makefile.contains("\ninstall-udev:") && makefile.contains("\nuninstall-udev:"))
    #expect(try text("scripts/deb.sh").contains("usr/lib/udev/rules.d/70-fob.rules"))
  }

  private func text(_ name: String) throws -> String {
    try String(contentsOfFile: "\(Repository.root.path)/\(name)", encoding: .utf8)
  }

  private func udev(_ word: String) throws -> (output: String, status: Int32) {
    let process = Process()
    process.executableURL = URL(filePath: Repository.root.path + "/scripts/udev.sh")
    process.arguments = [word]
    process.environment = ProcessInfo.processInfo.environment.merging(["DESTDIR": scratch.path]) {
      $1
    }
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return (output, process.terminationStatus)
  }
}
