import ArgumentParser
import Bridge
import Foundation

/// What may be asked of a bridge or core about the five messages.
extension Ctl {
  struct Messages: CtlRequest {
    static let configuration = CommandConfiguration(
      abstract: "Lists the slots of the five messages.",
      discussion: "Of each what it holds, whether it can be sent, and what was last sent.")

    @OptionGroup var connection: CtlConnection
  }

  struct Message: CtlRequest {
    static let configuration = CommandConfiguration(
      abstract: "Sends the message of a slot.")

    @Argument(help: "The slot, 1 to 5.")
    var slot: Int

    @Option(help: "The same key sends nothing twice. (default: a new one)")
    var key: String?

    @OptionGroup var connection: CtlConnection

    var fields: [String: Any?] { ["slot": slot, "key": key ?? UUID().uuidString] }
  }

  struct Slot: CtlRequest {
    static let configuration = CommandConfiguration(
      abstract: "Fills or empties a slot of the five messages.",
      discussion: "After set-up it needs the PIN, which stands in no command line.")

    enum Wanted: String, ExpressibleByArgument, CaseIterable { case fill, empty }

    @Argument(help: "fill puts the options in place of all that the slot holds.")
    var act: Wanted

    @Argument(help: "The slot, 1 to 5.")
    var slot: Int

    @Option(help: "The id of the contact whom it goes to.")
    var contact: String?

    @Option(help: "The name of whom it goes to, where that is no contact.")
    var name: String?

    @Option(help: "That person's number.")
    var number: String?

    @Option(help: "The text, as long as one SMS at most.")
    var message: String?

    @Flag(help: "Sends the keychain's position behind the text.")
    var position = false

    @OptionGroup var pin: PINOptions
    @OptionGroup var connection: CtlConnection

    var fields: [String: Any?] {
      get throws {
        [
          "act": act.rawValue, "slot": slot, "contact": contact, "name": name, "number": number,
          "message": message, "position": position ? true : nil,
          "pin": try pin.read()?.description,
        ]
      }
    }
  }
}
