import Foundation
import TestSupport
import Testing

@testable import Bench

struct BenchFileTests {
  private static let small: BenchResult = {
    var run = SyntheticRun()
    (run.blocks, run.pressesPerBlock) = (2, 3)
    return run.result(seed: 5)
  }()

  @Test func `what is written is read back, with the summary beside it and keys in order`() throws {
    let text = try BenchFile.encode(Self.small)
    #expect(try BenchFile.decode(Array(text.utf8), name: "a") == Self.small)
    #expect(try BenchFile.encode(Self.small) == text && text.hasSuffix("}\n"))
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    #expect(object["format"] as? Int == 1)
    let summary = try #require(object["summary"] as? [String: Any])
    #expect((summary["stages"] as? [Any])?.count == 12)
    #expect(text.hasPrefix("{\"began\":"))
  }

  @Test func `a file of another format, and one that is none, are refused with the reason`() throws
  {
    let text = try BenchFile.encode(Self.small)
    func refusal(_ text: String) -> String? {
      do throws(BenchFileError) {
        _ = try BenchFile.decode(Array(text.utf8), name: "old.json")
        return nil
      } catch { return error.description }
    }
    #expect(
      refusal(text.replacing("\"format\":1", with: "\"format\":2"))?.contains("format is 2") == true
    )
    #expect(refusal("PK")?.contains("is not JSON") == true)
    #expect(refusal("{}")?.contains("format") == true)
    #expect(refusal("{\"format\":1}")?.contains("missing") == true)
    #expect(
      refusal(text.replacing("\"lost\":0,\"pac", with: "\"lost\":-1,\"pac"))?
        .contains("lost is -1") == true)
    #expect(refusal(text.replacing("\"lost\":0,", with: "\"lost\":\"0\",")) != nil)
  }

  @Test(arguments: [Int64.min, .max])
  func `a time of a commit that nobody can compute with is refused`(time: Int64) {
    var run = Self.small
    run.blocks[0].samples[0].committing = time
    #expect(Self.small.fault == nil)
    #expect(run.fault == "blocks.0 has a time of \(time)")
  }

  @Test func `runs of many machines are one of all their presses, and say whose they are`() throws {
    let one = SyntheticRun().result(seed: 1)
    var other = SyntheticRun().result(seed: 2)
    other.environment.kernel = "6.2.0"
    other.environment.loadAfter = 9
    other.lost = 2
    let whole = try one.merged(with: other)
    #expect(whole.blocks == one.blocks + other.blocks)
    #expect(whole.lost == one.lost + 2 && whole.warmUp == one.warmUp + other.warmUp)
    #expect(whole.environment.kernel == "\(one.environment.kernel); 6.2.0")
    #expect(whole.environment.processor == one.environment.processor)
    #expect(whole.environment.loadAfter == 9)
    let samples = whole.blocks.flatMap(\.samples)
    #expect(whole.pacing == BenchResult.Pacing(of: samples, limit: 1_000))
    let third = SyntheticRun().result(seed: 3)
    #expect(try whole.merged(with: third).environment.kernel == whole.environment.kernel)
    #expect(try BenchFile.decode(Array(BenchFile.encode(whole).utf8), name: "whole") == whole)
  }

  @Test func `runs of other devices, rates or options are not merged`() {
    let one = SyntheticRun().result(seed: 1)
    for change in [
      { $0.device = "pty:/dev/pts/1" }, { $0.rate = 8 }, { $0.environment.build = "debug" },
      { $0.environment.options = ["sealed"] },
    ] as [(inout BenchResult) -> Void] {
      var other = SyntheticRun().result(seed: 2)
      change(&other)
      #expect(throws: ComparisonRefusal.self) { try one.merged(with: other) }
    }
  }

  @Test func `a file that is not there is said with its name`() {
    #expect(throws: BenchFileError.self) { try BenchFile.read("/nowhere/old.json") }
  }

  @Test func `damaged files never trap: they are refused, or all can be computed from them`() throws
  {
    let good = Array(try BenchFile.encode(Self.small).utf8)
    let fragments = [
      "9223372036854775807", "-9223372036854775808", "1e308", "-1", "null", "[]", "{}", "\"\"",
      "4503599627370496", "true", "0.5",
    ].map { Array($0.utf8) }
    var generator = SeededGenerator(seed: 8)
    var (refused, taken) = (0, 0)
    for _ in 0..<(Soak.isOn ? 1_500 : 150) {
      var bytes = good
      for _ in 0..<Int.random(in: 1...3, using: &generator) {
        let at = Int.random(in: 0..<bytes.count, using: &generator)
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: bytes[at] = UInt8.random(in: 0...255, using: &generator)
        case 1: bytes.removeSubrange(at..<min(bytes.count, at + 9))
        case 2: bytes.removeLast(min(bytes.count - 1, 50))
        default:
          // A number somewhere becomes something else.
          guard let colon = bytes[at...].firstIndex(of: UInt8(ascii: ":")) else { break }
          let end = bytes[colon...].firstIndex { [44, 93, 125].contains($0) } ?? bytes.count
          bytes.replaceSubrange(
            (colon + 1)..<end, with: fragments.randomElement(using: &generator) ?? [])
        }
      }
      do throws(BenchFileError) {
        let result = try BenchFile.decode(bytes, name: "damaged")
        taken += 1
        let report = BenchReport(
          result, comparison: try? Comparison(old: result, new: Self.small))
        #expect(!report.table.isEmpty && !report.page.isEmpty && !report.histogramLog.isEmpty)
      } catch { refused += 1 }
    }
    #expect(refused > 50 && taken > 10, "\(refused) refused, \(taken) taken")
  }
}
