public import ArgumentParser
public import Console

/// `fob calm`: the help texts of what calms, as they were shipped (R78).
struct CalmCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "calm",
    abstract: "Print the help text of messages, breathing, affirmations or grounding.",
    discussion: "The page has the same text in its view Calm, and the API at GET /v1/help/TOPIC.")

  @Argument(help: "What it explains.")
  var topic: HelpText.Topic

  @Option(help: "The language of the text.")
  var language = HelpText.Language.en

  func run() {
    Terminal.write(String(decoding: HelpText(topic, in: language).bytes, as: UTF8.self))
  }
}

extension HelpText.Topic: ExpressibleByArgument {}
extension HelpText.Language: ExpressibleByArgument {}
