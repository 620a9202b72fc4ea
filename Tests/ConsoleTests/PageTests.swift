import Foundation
import TestSupport
import Testing

@testable import Console

/// The page as a browser gets it.
struct PageTests {
  private static let folder = Repository.root.appending(path: "Sources/CPage/page")

  @Test(arguments: [
    ("/", "index.html", "text/html; charset=utf-8"),
    ("/bench", "bench.html", "text/html; charset=utf-8"),
    ("/page/style/base.css", "style/base.css", "text/css; charset=utf-8"),
    ("/page/icon.svg", "icon.svg", "image/svg+xml"),
    ("/page/icon.svg?again", "icon.svg", "image/svg+xml"),
  ])
  func `a file of the page is served without a token, as it is, with its type`(
    address: String, path: String, type: String
  ) async throws {
    try await Rig.run { rig in
      let answer = try await rig.ask("GET", address, as: nil)
      #expect(answer.status == 200)
      let there = try Data(contentsOf: Self.folder.appending(path: path))
      #expect(Data(answer.body) == there)
      #expect(answer.headers["content-type"] == type)
      #expect(answer.headers["content-length"] == "\(answer.body.count)")
    }
  }

  @Test func `a script is served as it is but for its comments`() async throws {
    try await Rig.run { rig in
      let answer = try await rig.ask("GET", "/page/script/main.js", as: nil)
      #expect(answer.headers["content-type"] == "text/javascript; charset=utf-8")
      let there = try String(
        contentsOf: Self.folder.appending(path: "script/main.js"), encoding: .utf8)
      let kept = there.replacing(/(?m)^ *\/\*(?s:.*?)\*\/\n|^ *\/\/.*\n|^ *\n/, with: "")
      #expect(answer.text == kept && kept.count < there.count)
    }
    let script = "/** Of\n * two. */\na(); // one\n\n  // none\n  b(\"/*\");\n  /* c */\nd();"
    let kept = PageFiles.withoutComments(script.utf8)
    #expect(String(decoding: kept, as: UTF8.self) == "a(); // one\n  b(\"/*\");\nd();\n")
  }

  /// A browser holds the page to these, whatever is wrong with it.
  @Test func `every file comes with the rules that a browser holds it to`() async throws {
    try await Rig.run { rig in
      for address in PageFiles.standard.files.keys {
        let headers = try await rig.ask("GET", address, as: nil).headers
        let policy = headers["content-security-policy"] ?? ""
        for part in [
          "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self'",
          "connect-src 'self'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'",
        ] {
          #expect(policy.split(separator: "; ").contains { $0 == part }, "\(address): \(part)")
        }
        #expect(!policy.contains("unsafe") && !policy.contains("*"))
        #expect(headers["x-content-type-options"] == "nosniff")
        #expect(headers["referrer-policy"] == "no-referrer")
        #expect(headers["cross-origin-opener-policy"] == "same-origin")
        #expect(headers["cross-origin-resource-policy"] == "same-origin")
        #expect(headers["permissions-policy"]?.contains("screen-wake-lock=(self)") == true)
        #expect(headers["permissions-policy"]?.contains("geolocation=()") == true)
        #expect(headers["cache-control"] == "no-cache")
        #expect(headers["set-cookie"] == nil && headers["access-control-allow-origin"] == nil)
      }
    }
  }

  @Test func `a browser that has a file already is told so, and gets another's bytes`() async throws
  {
    try await Rig.run { rig in
      func ask(_ address: String, _ tag: String) async throws -> RawClient.Response {
        try await rig.ask("GET", address, as: nil, headers: ["If-None-Match": tag])
      }
      let tag = try #require(try await rig.ask("GET", "/", as: nil).headers["etag"])
      for known in [tag, "W/\(tag)", "\"other\", \(tag)", "*"] {
        let answer = try await ask("/", known)
        #expect(answer.status == 304 && answer.body.isEmpty, "\(known)")
        #expect(answer.headers["etag"] == tag && answer.headers["cache-control"] == "no-cache")
        #expect(answer.headers["content-security-policy"] != nil)
        #expect(answer.headers["content-length"] == nil)
      }
      #expect(try await ask("/", "\"other\"").status == 200)
      #expect(try await ask("/bench", tag).status == 200)
    }
  }

  @Test func `a browser gets a file compressed, by another name, and unpacks what is there`()
    async throws
  {
    try await Rig.run { rig in
      func ask(_ encodings: String, _ tag: String = "") async throws -> RawClient.Response {
        try await rig.ask(
          "GET", "/page/script/main.js", as: nil,
          headers: ["Accept-Encoding": encodings, "If-None-Match": tag])
      }
      let plain = try await ask("identity")
      #expect(plain.headers["content-encoding"] == nil)
      #expect(plain.headers["vary"] == "Accept-Encoding")
      let small = try await ask("gzip, deflate, br, zstd")
      #expect(small.headers["content-encoding"] == "gzip")
      #expect(small.headers["vary"] == "Accept-Encoding")
      #expect(small.body.count < plain.body.count)
      #expect(try await blocking { try Self.unpacked(small.body) } == plain.body)
      let tag = try #require(small.headers["etag"])
      #expect(tag != plain.headers["etag"])
      #expect(try await ask("gzip", tag).status == 304)
      #expect(try await ask("identity", tag).status == 200)
      for unwanted in ["gzip;q=0", "br", "x-gzip-not", "gzip; q=0.000", ""] {
        #expect(try await ask(unwanted).headers["content-encoding"] == nil, "\(unwanted)")
      }
    }
  }

  /// By a program of others.
  private static func unpacked(_ bytes: [UInt8]) throws -> [UInt8] {
    let folder = try ScratchDirectory()
    let path = folder.path("small.gz")
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    let (status, unpacked) = try Shell.run("gzip -dc '\(path)'")
    #expect(status == 0)
    return Array(unpacked)
  }

  @Test(arguments: ["en", "de", "fr", "es"])
  func `the page weighs 200 KB at the most in each language, as it goes over the line`(
    language: String
  ) {
    let files = PageFiles.standard.files.filter { path, _ in
      !path.contains("/texts/") && !path.contains("/help/") || path.contains("/\(language)/")
    }
    let weight = files.values.reduce(0) { $0 + $1.weight }
    print("the page weighs \(weight) bytes in \(language)")
    #expect(files.count < PageFiles.standard.files.count)
    #expect(weight <= 200_000)
  }

  @Test func `HEAD is answered as GET is, without the bytes`() async throws {
    try await Rig.run { rig in
      let whole = try await rig.ask("GET", "/", as: nil)
      let head = try await rig.ask("HEAD", "/", as: nil)
      #expect(head.status == 200 && head.body.isEmpty)
      for name in ["content-length", "content-type", "etag", "content-security-policy"] {
        #expect(head.headers[name] == whole.headers[name], "\(name)")
      }
      let refused = try await rig.ask("HEAD", "/v1/status")
      #expect(refused.status == 405 && refused.body.isEmpty)
    }
  }

  @Test func `nothing is written to the page, and no other name has it`() async throws {
    try await Rig.run { rig in
      let post = try await rig.ask("POST", "/", json: "{}")
      #expect(post.status == 405 && post.headers["allow"] == "GET, HEAD")
      let other = try await rig.send("GET", "/", headers: ["Host": "evil.example.org"])
      #expect(other.status == 421)
    }
  }

  @Test(arguments: [
    "/index.html", "/page", "/page/", "/page/index.html", "/page/script", "/page/script/",
    "/page/../icon.svg", "/page/..%2f..%2fPackage.swift", "/page/%2e%2e/files.c", "/page//icon.svg",
    "/page/./icon.svg", "/page/icon.svg%00", "/page/ICON.SVG", "/page/..\\..\\Package.swift",
    "/page/style/../../files.c", "//", "/bench/",
  ])
  func `there is nothing beside the page's files`(address: String) async throws {
    try await Rig.run { rig in
      let answer = try await rig.ask("GET", address, as: nil)
      #expect(answer.status == 404, "\(address): \(answer.text.prefix(200))")
    }
  }

  @Test func `the page's documents load files that are there, and nothing from elsewhere`() throws {
    for document in ["index.html", "bench.html"] {
      let text = try String(contentsOf: Self.folder.appending(path: document), encoding: .utf8)
      let addresses = text.matches(of: /(?:src|href)="([^"#]+)"/).map { String($0.output.1) }
      #expect(addresses.count >= 4)
      for address in addresses where address != "/" && address != "/bench" {
        #expect(PageFiles.standard.files[address] != nil, "\(document): \(address)")
      }
    }
  }
}
