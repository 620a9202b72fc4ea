import ArgumentParser
import Bridge

/// What may be asked of a bridge or core about reviews. No answer stands on a command line, which
/// others can read.
extension Ctl {
  struct Reviews: CtlRequest {
    static let configuration = CommandConfiguration(
      abstract: "Lists reviews without their words, the latest first; needs the PIN.")

    @Option(help: "Those begun in this week alone, as in 2026-W48.")
    var week: String?

    @OptionGroup var pin: PINOptions
    @OptionGroup var connection: CtlConnection

    var fields: [String: Any?] {
      get throws { ["week": week, "pin": try pin.read()?.description] }
    }
  }

  struct Review: CtlRequest {
    static let configuration = CommandConfiguration(
      abstract: "Shows, begins, saves, completes or deletes a review; needs the PIN.",
      discussion: """
        Whoever saves an answer names the version that they have seen; another one is refused, \
        since somebody else saved meanwhile. With --pin - and --text - the PIN is the first line.
        """)

    enum Wanted: String, ExpressibleByArgument, CaseIterable {
      case show, begin, save, complete, delete
    }

    @Argument(help: "What is done; save takes --step and --text.")
    var act: Wanted

    @Argument(help: "The review, as fob ctl reviews has it; begin makes a new one.")
    var id: Int?

    @Option(help: "The alarm that a new one looks back on. (default: none)")
    var incident: String?

    @Option(help: "The step that is answered, 1 to 4.")
    var step: Int?

    @Option(
      help: ArgumentHelp("The file that has the answer; - is standard input.", valueName: "file"))
    var text: String?

    @Option(help: "The version of the answer that was seen. (default: 0, there was none)")
    var seen: Int?

    @OptionGroup var pin: PINOptions
    @OptionGroup var connection: CtlConnection

    var fields: [String: Any?] {
      get throws {
        // The PIN goes first where both are typed.
        let pin = try pin.read()
        return [
          "act": act == .show ? nil : act.rawValue, "id": id, "incident": incident, "step": step,
          "text": try text.map(answer), "seen": seen, "pin": pin?.description,
        ]
      }
    }

    /// Without the newline at the end, which an editor writes.
    private func answer(_ path: String) throws -> String {
      let text = path == "-" ? try TextFile.readInput() : try TextFile.read(path)
      return text.hasSuffix("\n") ? String(text.dropLast()) : text
    }
  }
}
