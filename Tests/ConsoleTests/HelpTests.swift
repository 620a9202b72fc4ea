import Foundation
import TestSupport
import Testing

@testable import Console

/// The help texts of the view Calm (R78).
struct HelpTests {
  private static let path = "/v1/help/breathing"

  private static func shipped(_ topic: String, _ language: String) throws -> Data {
    try Data(
      contentsOf: Repository.root.appending(
        path: "Sources/CPage/page/help/\(language)/\(topic).txt"))
  }

  @Test func `R78: each help text is answered byte for byte, in the language that is asked for`()
    async throws
  {
    try await Rig.run { rig in
      for topic in HelpText.Topic.allCases {
        for language in HelpText.Language.allCases {
          let there = try Self.shipped(topic.rawValue, language.rawValue)
          #expect(!there.isEmpty)
          let answer = try await rig.ask(
            "GET", "/v1/help/\(topic)?language=\(language)", as: .observe)
          #expect(answer.status == 200 && Data(answer.body) == there, "\(topic) \(language)")
          #expect(answer.headers["content-type"] == "text/plain; charset=utf-8")
          #expect(answer.headers["content-language"] == language.rawValue)
          let page = try await rig.ask("GET", "/page/help/\(language)/\(topic).txt", as: nil)
          #expect(page.status == 200 && Data(page.body) == there, "\(topic) \(language)")
        }
      }
      #expect(try await rig.ask("GET", Self.path, as: nil).status == 401)
    }
  }

  @Test(arguments: [
    ("", "", "en"), ("?language=de-CH", "", "de"), ("?language=FR", "", "fr"),
    ("?language=it", "de", "en"), ("?language=es", "de", "es"),
    ("", "de-AT,de;q=0.9,en;q=0.5", "de"),
    ("", "it, fr;q=0.4, es; q=0.8", "es"), ("", "en, de", "en"), ("", "it", "en"), ("", "*", "en"),
    ("", "de;q=0", "en"), ("", "de;q=x, fr;q=0.1", "fr"), ("", ",;,", "en"),
  ])
  func `help is in the language of the query, else of the browser, else in English`(
    query: String, accepted: String, language: String
  ) async throws {
    try await Rig.run { rig in
      let answer = try await rig.ask(
        "GET", Self.path + query, headers: ["Accept-Language": accepted])
      #expect(answer.headers["content-language"] == language)
      #expect(answer.headers["vary"] == "Accept-Language")
      #expect(try Data(answer.body) == Self.shipped("breathing", language))
    }
  }

  @Test func `who asks for help on anything else is told on what there is some`() async throws {
    try await Rig.run { rig in
      let answer = try await rig.ask("GET", "/v1/help/protection")
      #expect(answer.status == 404)
      #expect(answer.text.contains("messages, breathing, affirmations, grounding"))
      let links = try await rig.ask("GET", "/v1/help/links")
      #expect(links.headers["content-type"] == "application/json")
      let post = try await rig.ask("POST", "/v1/help/links", json: "{}")
      #expect(post.status == 405 && post.headers["allow"] == "GET, PUT")
    }
  }
}
