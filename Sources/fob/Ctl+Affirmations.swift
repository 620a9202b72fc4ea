import ArgumentParser

/// What may be asked of a bridge or core about affirmations.
extension Ctl {
  struct Affirmations: CtlRequest {
    static let configuration = CommandConfiguration(
      abstract: "Lists the affirmations, and says when the owner is reminded.")

    @OptionGroup var connection: CtlConnection
  }

  struct Affirmation: CtlRequest {
    static let configuration = CommandConfiguration(
      abstract: "Says which affirmation is shown; shows another one, adds or deletes one.")

    enum Wanted: String, ExpressibleByArgument, CaseIterable {
      case next, previous, select, add, delete
    }

    @Argument(help: "What is done before. (default: nothing)")
    var act: Wanted?

    @Argument(help: "Which one select shows or delete deletes: its id.")
    var id: Int?

    @Option(help: "The line that add adds, up to 160 characters.")
    var text: String?

    @OptionGroup var connection: CtlConnection

    var fields: [String: Any?] { ["act": act?.rawValue, "id": id, "text": text] }
  }
}
