import ArgumentParser
import Bridge
import FobBase
import Foundation
import Glibc
import SerialIO

/// `fob keys`: the keys of paired keychains, for a core that moves to another host, and labels.
struct KeysCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "keys",
    abstract:
      "List the paired keychains of a core, move their keys to another host, and print labels.",
    discussion: """
      The keys stand in the file keys of the state folder, for its owner alone: no log, backup \
      document or export of the state has them. Two cores that have the same key act as one: move \
      the core, and let the old one run no more.
      """,
    subcommands: [List.self, Export.self, Import.self, Label.self])

  struct Passphrase: ParsableArguments {
    @Option(
      name: .customLong("passphrase-file"),
      help: """
        The passphrase, \(KeyTransfer.shortestPassphrase) characters or more, from the first line \
        of a file of mode 0600. (default: it is asked for, or read from standard input)
        """,
      completion: .file())
    var file: String?

    func read() throws(Failure) -> [UInt8] {
      do throws(IOFailure) {
        let bytes =
          if let file { try SecretFile.read(file) } else { try TypedSecret.read("Passphrase: ") }
        return Array((bytes.line ?? "").utf8)
      } catch {
        throw Failure(error)
      }
    }
  }

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "List the keychains that have a key here, one a line.")

    @OptionGroup var folder: CoreFolder

    func run() throws {
      try KeysCommand.mapped {
        for device in try KeyTransfer.devices(in: folder.path()) { Terminal.line(device.text) }
      }
    }
  }

  struct Export: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Write the keys to a file that a passphrase opens.",
      discussion: "A core that runs on the folder goes on meanwhile.")

    @OptionGroup var folder: CoreFolder
    @OptionGroup var passphrase: Passphrase

    @Argument(help: "File to write, with mode 0600, or - for standard output.", completion: .file())
    var file: String

    func run() throws {
      try KeysCommand.mapped {
        let output = try OutputFile(file, mode: 0o600)
        try output.write(KeyTransfer.text(of: folder.path(), by: passphrase.read()))
      }
    }
  }

  struct Import: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Add the keys of such a file to a state folder: all of them, or none.",
      discussion: "No fob may run on the folder meanwhile.")

    @OptionGroup var folder: CoreFolder
    @OptionGroup var passphrase: Passphrase

    @Flag(help: "Take the file's key where a keychain has another here.")
    var replace = false

    @Argument(help: "File that fob keys export has written.", completion: .file())
    var file: String

    func run() throws {
      try KeysCommand.mapped {
        let path = try folder.path()
        try StateFolder.make(path)
        let text = try SecretFile.read(file, longest: KeyTransfer.longest).text ?? ""
        let devices = try KeyTransfer.read(
          text, by: passphrase.read(), into: path, replaces: replace)
        for device in devices { Terminal.line(device.text) }
      }
    }
  }

  private static func mapped(_ body: () throws -> Void) throws(Failure) {
    try Failure.mapped {
      do {
        try body()
      } catch let refusal as KeyTransfer.Refusal {
        throw Failure(.refused, refusal.description)
      }
    }
  }
}
