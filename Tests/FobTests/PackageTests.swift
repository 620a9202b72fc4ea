import FobBase
import Foundation
import TestSupport
import Testing

/// What `make deb` packs, unpacked again, with this build's binary in the place of a release's.
@Suite(.serialized) struct PackageTests {
  private let scratch: ScratchDirectory

  init() throws { scratch = try ScratchDirectory() }

  @Test func `fob.deb has fob, its units and its recipes for CI, which run, real dpkg`() throws {
    let root = try unpackedPackage()
    let fob = root + "/usr/bin/fob"
    let documents = root + "/usr/share/doc/fob"
    for unit in ["fob-core.service", "fob-bridge.service"] {
      #expect(FileManager.default.fileExists(atPath: "\(root)/usr/lib/systemd/system/\(unit)"))
    }
    for part in ["fob.lua", "fob_frame.lua", "fob_messages.lua"] {
      #expect(FileManager.default.fileExists(atPath: "\(root)/usr/share/fob/wireshark/\(part)"))
    }
    for image in ["fob-microbit.hex", "fob-microbit-v2.hex"] {
      let built = Repository.root.path + "/.build/firmware/" + image
      #expect(
        FileManager.default.fileExists(atPath: "\(root)/usr/share/fob/\(image)")
          == FileManager.default.fileExists(atPath: built), "\(image)")
    }
    let rule = root + "/usr/lib/udev/rules.d/70-fob.rules"
    #expect(FileManager.default.contentsEqual(atPath: rule, andPath: UdevRulesTests.path))
    let version = try run("/usr/bin/env", [fob, "--version"])
    let control = try run("/usr/bin/env", ["dpkg-deb", "--info", scratch.path("deb/fob.deb")])
    #expect(control.contains("Version: \(version)"))
    for page in ["fob", "fob-run", "fob-ctl"] {
      #expect(FileManager.default.fileExists(atPath: "\(root)/usr/share/man/man1/\(page).1.gz"))
    }
    for library in ["libsqlite3-0", "libcurl4", "libssl3"] { #expect(control.contains(library)) }

    let script = try run(documents + "/examples/ci/press.sh", [], ["FOB": fob])
    #expect(script.hasSuffix("told, and the light says so\ndisarmed\n"), "\(script)")
    let fixture = try run(
      "/usr/bin/env",
      ["python3", "-m", "pytest", "-q", "-p", "no:cacheprovider", documents + "/examples/pytest"],
      ["FOB": fob, "PYTHONPATH": root + "/usr/lib/python3/dist-packages"])
    #expect(fixture.contains("5 passed"), "\(fixture)")
  }

  @Test func `the package says what it is made of, and under which licences`() throws {
    let documents = try unpackedPackage() + "/usr/share/doc/fob/"
    let document = try JSONDecoder().decode(
      SPDXDocument.self, from: Data(contentsOf: URL(filePath: documents + "fob.spdx.json")))
    #expect(document.spdxVersion == "SPDX-2.3")
    let licences = Dictionary(
      uniqueKeysWithValues: document.packages.map { ($0.name, $0.licenseDeclared) })
    #expect(licences["fob"] == "Apache-2.0")
    #expect(licences["grdb.swift"] == "MIT")
    #expect(licences["libsqlite3-0"] != nil)
    let ids = Set(document.packages.map(\.SPDXID))
    #expect(ids.count == document.packages.count)
    #expect(document.relationships.allSatisfy { ids.contains($0.relatedSpdxElement) })
    let notices = try String(contentsOfFile: documents + "NOTICES", encoding: .utf8)
    #expect(notices.contains("grdb.swift 7") && notices.contains("Permission is hereby granted"))
    let licence = try String(contentsOfFile: documents + "copyright", encoding: .utf8)
    #expect(licence.hasPrefix("Format: https://www.debian.org/doc/packaging-manuals/copyright-"))
    #expect(licence.contains("/usr/share/common-licenses/Apache-2.0"))
    for package in document.packages where package.licenseDeclared != "NOASSERTION" {
      let files = package.name == "fob" ? "*" : "linked/\(package.name)/*"
      #expect(licence.contains("\nFiles: \(files)\n"))
    }
  }

  private struct SPDXDocument: Decodable {
    struct Package: Decodable { let SPDXID, name, licenseDeclared: String }
    struct Relationship: Decodable { let relatedSpdxElement: String }

    let spdxVersion: String
    let packages: [Package]
    let relationships: [Relationship]
  }

  @Test func `what the workflow runs is in the package`() throws {
    let workflow = try String(
      contentsOfFile: RunningExample.path("ci/workflow.yml"), encoding: .utf8)
    let packed = workflow.split(whereSeparator: \.isWhitespace).filter {
      $0.hasPrefix("/usr/share/doc/fob/")
    }
    #expect(packed.count == 3)
    for path in packed {
      let source = Repository.root.path + "/" + path.dropFirst("/usr/share/doc/fob/".count)
      #expect(FileManager.default.fileExists(atPath: source), "\(path)")
    }
  }

  @Test func `press.sh says what is wrong where fob does not run`() throws {
    let broken = scratch.path("broken")
    try Data("#!/bin/sh\nexit 70\n".utf8).write(to: URL(fileURLWithPath: broken))
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: broken)
    let script = try RunningExample("ci/press.sh", [], in: scratch, environment: ["FOB": broken])
    #expect(try script.awaitEnd() == 1)
    #expect(script.output.contains("FAILED: it ended before"), "\(script.output)")
  }

  private func unpackedPackage() throws -> String {
    let out = scratch.path("deb")
    let package = try run(
      Repository.root.path + "/scripts/deb.sh", [],
      ["FOB": RunningFob.binary, "OUT": out, "DPKG_DEB_COMPRESSOR_TYPE": "none"])
    #expect(package.contains(out + "/fob_"), "\(package)")
    let root = scratch.path("root")
    _ = try run("/usr/bin/env", ["dpkg-deb", "--extract", out + "/fob.deb", root])
    return root
  }

  private func run(
    _ path: String, _ arguments: [String], _ environment: [String: String] = [:]
  ) throws -> String {
    let process = try RunningExample(path, arguments, in: scratch, environment: environment)
    try #require(try process.awaitEnd(within: .seconds(120)) == 0, "\(path): \(process.output)")
    return process.output
  }
}
