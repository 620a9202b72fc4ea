import Judge
import Testing

@testable import Simulation

@Suite struct CoverageTableTests {
  @Test func `a fault that met nothing shows as dots and as never`() throws {
    let lines = CoverageTable(Coverage()).lines
    let row = try #require(lines.first { $0.hasPrefix("  boot counter lost") })
    #expect(row.split(separator: " ").suffix(7) == ["·", "·", "·", "·", "·", "·", "·"])
    #expect(lines.contains("never: press in NO_EMERGENCY"))
    #expect(lines.contains { $0.hasPrefix("coverage: 0 of ") })
  }

  @Test func `what worlds meet fills the table, of at most 100 columns`() throws {
    var coverage = Coverage()
    for seed in 1...60 as ClosedRange<UInt64> { coverage.add(Schedule(seed: seed).play().coverage) }
    let lines = CoverageTable(coverage).lines
    let row = try #require(lines.first { $0.hasPrefix("  press ") })
    let columns = row.split(separator: " ").dropFirst()
    #expect(columns.count == 7)
    #expect(columns.first?.hasSuffix("/9") == true)
    // A host that is down is in the middle of fewer things.
    #expect(columns.last?.hasSuffix("/4") == true)
    #expect(!lines.contains("never: press in NO_EMERGENCY"))
    let widest = lines.prefix { !$0.hasPrefix("coverage") }.map(\.count).max()
    #expect(try #require(widest) <= 100)
  }
}
