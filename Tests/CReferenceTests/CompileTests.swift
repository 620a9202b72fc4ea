import Foundation
import TestSupport
import Testing

/// What a firmware's own build asks of the reference: strict C99, without a library.
struct CompileTests {
  private static let strict = [
    "-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-Wconversion", "-O2",
  ]
  private static let folder = Repository.root.appending(path: "firmware-protocol/c").path

  @Test(arguments: [
    ["gcc"], ["clang"], ["clang", "--target=armv7m-none-eabi", "-ffreestanding"],
  ])
  func `the reference and its example compile without a warning`(_ compiler: [String]) throws {
    let scratch = try ScratchDirectory()
    let example = scratch.path("example.c")
    try Self.example().write(toFile: example, atomically: true, encoding: .utf8)
    let sources = try FileManager.default.contentsOfDirectory(atPath: Self.folder)
      .filter { $0.hasSuffix(".c") }.map { "\(Self.folder)/\($0)" }
    #expect(sources.count >= 12)
    for source in sources + [example] {
      let words = compiler + Self.strict + ["-I", Self.folder, "-c", source]
      let said = try Self.run(words + ["-o", scratch.path("object.o")])
      #expect(said == "", "\(source)")
    }
  }

  @Test func `the headers need nothing but C's own, and nothing allocates`() throws {
    let allowed: Set = ["<stdbool.h>", "<stddef.h>", "<stdint.h>"]
    for name in try FileManager.default.contentsOfDirectory(atPath: Self.folder)
    where name.hasSuffix(".c") || name.hasSuffix(".h") {
      let text = try String(contentsOfFile: "\(Self.folder)/\(name)", encoding: .utf8)
      for line in text.split(whereSeparator: \.isNewline) where line.hasPrefix("#include <") {
        #expect(allowed.contains(String(line.dropFirst(9))), "\(name)")
      }
      for call in ["malloc(", "calloc(", "realloc(", "alloca("] {
        #expect(!text.contains(call), "\(name)")
      }
    }
  }

  @Test func `each layer compiles and links with those below it alone`() throws {
    let scratch = try ScratchDirectory()
    var above = Set(
      try FileManager.default.contentsOfDirectory(atPath: Self.folder).filter { $0 != "README.md" })
    var objects: [String] = []
    for layer in try Self.layers() {
      let own = above.filter { $0.hasPrefix("fob_\(layer).") || $0.hasPrefix("fob_\(layer)_") }
      #expect(own.contains("fob_\(layer).h"))
      above.subtract(own)
      for name in own {
        try FileManager.default.copyItem(
          atPath: "\(Self.folder)/\(name)", toPath: scratch.path(name))
      }
      for name in own {
        let object = name.hasSuffix(".c") ? ["-c", "-o", scratch.path("\(name).o")] : nil
        let words = ["gcc", "-fPIC", "-x", "c", scratch.path(name)] + Self.strict
        #expect(try Self.run(words + (object ?? ["-fsyntax-only"])) == "", "\(name)")
        if let object { objects.append(object[2]) }
      }
      let link = ["gcc", "-shared", "-Wl,-z,defs", "-o", scratch.path("layers.so")]
      #expect(try Self.run(link + objects) == "", "\(layer)")
    }
    #expect(above == [], "in no layer of the README")
  }

  /// Lowest first, as the README has them.
  private static func layers() throws -> [String] {
    let readme = try String(contentsOfFile: "\(folder)/README.md", encoding: .utf8)
    let list = try #require(readme.components(separatedBy: "lowest first:").dropFirst().first)
    let words = list.prefix { $0 != "." }.components(separatedBy: "`")
    return words.indices.filter { $0 % 2 == 1 }.map { words[$0] }
  }

  /// The first block of C in the README, as it stands.
  private static func example() throws -> String {
    let readme = try String(contentsOfFile: "\(folder)/README.md", encoding: .utf8)
    let block = try #require(readme.components(separatedBy: "```c\n").dropFirst().first)
    let example = try #require(block.components(separatedBy: "```").first)
    #expect(example.contains("fob_device_poll"))
    return example
  }

  /// What the compiler says, with its exit status where it failed.
  private static func run(_ words: [String]) throws -> String {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = words
    let output = Pipe()
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let said = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return process.terminationStatus == 0 ? said : "\(process.terminationStatus): \(said)"
  }
}
