import Console
import Foundation
import TestSupport
import Testing

/// The help texts at the command line (R78).
struct CalmCommandTests {
  @Test(arguments: HelpText.Topic.allCases)
  func `R78: fob calm prints a help text byte for byte`(topic: HelpText.Topic) throws {
    let scratch = try ScratchDirectory()
    for (options, language) in [([], "en"), (["--language", "de"], "de")] {
      let fob = try RunningFob(
        ["calm", topic.rawValue] + options, in: scratch, awaitsReady: false)
      #expect(fob.awaitEnd() == 0)
      let file = "Sources/CPage/page/help/\(language)/\(topic).txt"
      #expect(
        try fob.output == String(contentsOf: Repository.root.appending(path: file), encoding: .utf8)
      )
    }
  }

  @Test(arguments: [
    (["protection"], "'messages', 'breathing', 'affirmations' or 'grounding'"),
    (["breathing", "--language", "it"], "'en', 'de', 'fr' or 'es'"), ([], "<topic>"),
  ])
  func `what there is no text of is refused, and what there is is named`(
    words: [String], named: String
  ) throws {
    let fob = try RunningFob(["calm"] + words, in: try ScratchDirectory(), awaitsReady: false)
    #expect(fob.awaitEnd() == 64)
    #expect(fob.output.contains(named))
  }
}
