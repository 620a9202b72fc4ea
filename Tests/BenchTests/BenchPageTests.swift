import Foundation
import TestSupport
import Testing

@testable import Bench

struct BenchPageTests {
  private static func pages() throws -> [(String, BenchReport)] {
    let run = SyntheticRun()
    var slow = run
    slow.planted = [.decide: 60]
    let (old, new) = (run.result(seed: 1), slow.result(seed: 2))
    var named = old
    named.device = "pty:</title><script>alert(1)</script>\u{0}&\"'"
    return [
      ("run", BenchReport(old)),
      ("compared", BenchReport(new, comparison: try Comparison(old: old, new: new))),
      ("hostile", BenchReport(named)), ("empty", BenchReport(BenchResult())),
    ]
  }

  @Test func `the page is well-formed, by Python's parsers, and loads nothing`() throws {
    let folder = try ScratchDirectory()
    for (name, report) in try Self.pages() {
      let page = report.page
      if let keep = ProcessInfo.processInfo.environment["FOB_PAGES"] {
        try page.write(toFile: "\(keep)/\(name).html", atomically: true, encoding: .utf8)
      }
      let path = folder.path("\(name).html")
      try page.write(toFile: path, atomically: true, encoding: .utf8)
      #expect(try Python.run(Self.check, [path]) == "well-formed\n", "\(name)")
      for outside in [
        "http://", "https://", "src=", "href=", "url(", "@import", "<script", "<link",
      ] {
        let rest = page.replacing("http://www.w3.org/2000/svg", with: "")
        #expect(!rest.contains(outside), "\(name) has \(outside)")
      }
    }
  }

  @Test func `every figure of the summary is on the page`() throws {
    let report = BenchReport(SyntheticRun().result(seed: 3))
    let page = report.page
    for figures in report.summary.stages {
      for value in [figures.plain.min, figures.plain.median, figures.plain.max] {
        #expect(page.contains(">\(FigureText.microseconds(value))<"), "\(figures.stage) \(value)")
      }
    }
    let floor = try #require(report.summary.floor)
    #expect(page.contains(">\(FigureText.microseconds(floor.median))<"))
    #expect(page.contains("6.1.0") && page.contains("pinned to 1"))
  }

  @Test func `with a comparison, the verdict and the earlier run are on the page`() throws {
    let page = try #require(try Self.pages().first { $0.0 == "compared" }).1.page
    #expect(page.contains("class=\"verdict worse\"") && page.contains("decide is worse"))
    #expect(page.contains("curve old c0") && page.contains("class=\"old\""))
  }

  @Test func `what a device is called cannot become markup`() throws {
    let page = try #require(try Self.pages().first { $0.0 == "hostile" }).1.page
    #expect(!page.contains("<script") && page.contains("&lt;script&gt;"))
  }

  /// HTML's elements must nest and close; what is in each svg must be XML.
  private static let check = #"""
    import re, sys
    from html.parser import HTMLParser
    from xml.etree import ElementTree
    page = open(sys.argv[1], encoding="utf-8").read()
    class Nesting(HTMLParser):
        void = {"meta", "br", "hr"}
        def __init__(self):
            super().__init__()
            self.open = []
        def handle_starttag(self, tag, attributes):
            if tag not in self.void: self.open.append(tag)
        def handle_startendtag(self, tag, attributes): pass
        def handle_endtag(self, tag):
            assert self.open and self.open[-1] == tag, (tag, self.open)
            self.open.pop()
    parser = Nesting()
    parser.feed(page)
    parser.close()
    assert not parser.open, parser.open
    for drawing in re.findall(r"<svg.*?</svg>", page, re.S): ElementTree.fromstring(drawing)
    for tag in ("title", "main", "h1", "h2", "style"): assert f"<{tag}" in page, tag
    print("well-formed")
    """#
}
