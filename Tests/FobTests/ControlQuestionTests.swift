import Foundation
import Testing

@testable import fob

@Suite struct ControlQuestionTests {
  @Test(arguments: [
    (["press"], #"{"do":"press"}"#),
    (["press", "--hold-ms", "500"], #"{"do":"press","hold_ms":500}"#),
    (["press", "--hold-ms=500"], #"{"do":"press","hold_ms":500}"#),
    (["subscribe", "--leds"], #"{"do":"subscribe","leds":true}"#),
    (["subscribe", "--leds", "false"], #"{"do":"subscribe","leds":false}"#),
    (["fault", "--kind", "drop", "--rate", "0.5"], #"{"do":"fault","kind":"drop","rate":0.5}"#),
    (["clock", "--jump-us", "-5000"], #"{"do":"clock","jump_us":-5000}"#),
    (["disarm", "--pin", "0123"], #"{"do":"disarm","pin":"0123"}"#),
    (["wait", "linked", "--event", "1.3"], #"{"do":"wait","event":"1.3"}"#),
  ])
  func `a request is typed as words and asked as JSON`(words: [String], json: String) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let question = try ControlQuestion(words[0], Array(words.dropFirst()))
    #expect(String(decoding: try encoder.encode(question), as: UTF8.self) == json)
  }

  @Test(arguments: [["a", "b"], ["--x", "1", "2"], ["--"], ["--x", "1", "--x", "2"]])
  func `words that belong to no field are refused`(details: [String]) {
    #expect(throws: (any Error).self) { try ControlQuestion("press", details) }
  }
}
