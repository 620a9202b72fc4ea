import ArgumentParser
import Bridge

/// A request whose answer comes in pages.
protocol ListRequest: CtlRequest {
  var list: CtlList { get }
}

extension ListRequest {
  var connection: CtlConnection { list.connection }
  var fields: [String: Any?] { ["after": list.after] }
}

/// Where a list begins; fob puts its pages together.
struct CtlList: ParsableArguments {
  @Option(help: "Begins behind this row, as `more` of an answer has it.")
  var after: Int?

  @OptionGroup var connection: CtlConnection
}

/// What may be asked of a bridge or core.
extension Ctl {
  struct Status: ListRequest {
    static let configuration = CommandConfiguration(
      abstract: "Shows what is true now, with the age of each reading.")

    @OptionGroup var list: CtlList
  }

  struct Presses: ListRequest {
    static let configuration = CommandConfiguration(
      abstract: "Lists each press with its incident.")

    @OptionGroup var list: CtlList
  }

  struct Incidents: ListRequest {
    static let configuration = CommandConfiguration(abstract: "Lists each incident.")

    @OptionGroup var list: CtlList
  }

  struct Subscribe: CtlRequest {
    static let configuration = CommandConfiguration(
      abstract: "Streams audit events, lights, notices, stages and positions.")
    static let isStream = true

    @OptionGroup var connection: CtlConnection
  }

  struct Disarm: CtlRequest {
    static let configuration = CommandConfiguration(
      abstract: "Ends the emergency by PIN.",
      discussion: "No PIN stands in a command line, which others can read.")

    @OptionGroup var pin: PINOptions
    @OptionGroup var connection: CtlConnection

    var fields: [String: Any?] {
      get throws { ["pin": try pin.read()?.description] }
    }
  }

  struct Cancel: CtlRequest {
    static let configuration = CommandConfiguration(
      abstract: "Ends the emergency, where no PIN is set.")

    @OptionGroup var connection: CtlConnection
  }

  struct Silence: CtlRequest {
    static let configuration = CommandConfiguration(
      abstract: "Stops the sounder; the emergency goes on.")

    @OptionGroup var connection: CtlConnection
  }

  struct Quit: CtlRequest {
    static let configuration = CommandConfiguration(
      abstract: "Stops the sounder and opens the survey; the emergency goes on.")

    @OptionGroup var connection: CtlConnection
  }

  struct Resume: CtlRequest {
    static let configuration = CommandConfiguration(abstract: "Protects again after the end.")

    @OptionGroup var connection: CtlConnection
  }

  struct Acknowledge: CtlRequest {
    static let configuration = CommandConfiguration(
      abstract: "Says that a contact has it in hand.")

    @Option(help: "The contact's id.")
    var contact: String

    @OptionGroup var connection: CtlConnection

    var fields: [String: Any?] { ["contact": contact] }
  }

  struct End: CtlRequest {
    static let configuration = CommandConfiguration(
      abstract: "Ends an emergency of an unclaimed device.")

    @OptionGroup var connection: CtlConnection
  }

  struct Code: CtlRequest {
    static let configuration = CommandConfiguration(
      abstract: "Makes a fresh one-time code for the page; the last one is void.")

    @OptionGroup var connection: CtlConnection
  }

  struct Tap: KeychainRequest {
    static let configuration = CommandConfiguration(
      abstract: "Streams the bytes of every line; of a keychain's, whose --socket is named.")
    static let isStream = true

    @OptionGroup var keychain: CtlKeychain
  }
}
