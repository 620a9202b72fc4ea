import ArgumentParser
import Bridge
import WireProtocol

/// What may be asked of a bridge or core about the keys of keychains.
extension Ctl {
  struct Pair: CtlRequest {
    static let configuration = CommandConfiguration(
      abstract:
        "Pairs a keychain with the core: from then on each believes the other alone.",
      discussion: """
        By its label: a keychain that has its key from the factory proves it where it is, at a \
        bridge on another host, too. A label that is not its own changes nothing.

        Without a label on a line of the core: take the keychain's power, press its button, give \
        it power, and hold the button until this has answered. Whoever listens to the line in that \
        moment has the key. A new key takes the place of an old one. After set-up it needs the \
        PIN, which stands in no command line.
        """)

    @Argument(help: "The keychain, 16 hexadecimal digits. (default: the only one that is there)")
    var device: String?

    @Option(
      help: "The code of the keychain's label, from a file of mode 0600.", completion: .file())
    var labelFile: String?

    @OptionGroup var pin: PINOptions
    @OptionGroup var connection: CtlConnection

    var fields: [String: Any?] {
      get throws {
        [
          "device": device, "label": try labelFile.map { try LabelFile.read($0) }?.text,
          "pin": try pin.read()?.description,
        ]
      }
    }
  }

  struct Unpair: CtlRequest {
    static let configuration = CommandConfiguration(
      abstract: "Ends the pairing of a keychain.",
      discussion: """
        The core forgets the key also where the keychain does not answer: that keychain believes \
        nobody until it is paired anew. After set-up it needs the PIN, which stands in no command \
        line.
        """)

    @Argument(help: "The keychain, 16 hexadecimal digits. (default: the only one that is there)")
    var device: String?

    @OptionGroup var pin: PINOptions
    @OptionGroup var connection: CtlConnection

    var fields: [String: Any?] {
      get throws { ["device": device, "pin": try pin.read()?.description] }
    }
  }
}
