import ArgumentParser
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
}
