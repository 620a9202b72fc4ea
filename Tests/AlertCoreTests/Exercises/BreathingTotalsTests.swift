import Testing

@testable import AlertCore

@Suite struct BreathingTotalsTests {
  private static let example = "5\n1\n2\n30\n4000\n3\n"

  @Test func `totals count sessions, the shortest, the longest and the sum; the average follows`() {
    var totals = BreathingTotals()
    #expect(totals.average == nil)
    for session in [60, 20, 100] { totals.add(session) }
    #expect(totals.shortest == 20 && totals.longest == 100)
    #expect(totals.seconds == 180 && totals.count == 3)
    #expect(totals.average == 60)
  }

  @Test func `totalTime.txt has seconds, minutes, hours, shortest, longest and count`() throws {
    let totals = try BreathingTotals(file: Self.example)
    #expect(totals.seconds == 7_265 && totals.shortest == 30)
    #expect(totals.longest == 4_000 && totals.count == 3)
    #expect(totals.file == Self.example)
    #expect(BreathingTotals().file == "0\n0\n0\n0\n0\n0\n")
    #expect(try BreathingTotals(file: String(Self.example.dropLast())) == totals)
  }

  @Test(arguments: [
    "", "\n", "5\n1\n2\n30\n4000\n", "5\n1\n2\n30\n4000\n3\n4\n", "5\n1\n2\n30\n4000\n\n",
    "5\n\n1\n2\n30\n4000\n3\n", "60\n0\n0\n0\n0\n1\n", "0\n60\n0\n0\n0\n1\n", "-1\n1\n2\n3\n4\n1\n",
    "5\r\n1\r\n2\r\n30\r\n4000\r\n3\r\n", "5\n1\n2\n31\n30\n3\n", "5\n0\n0\n1\n6\n1\n",
    "5\n0\n0\n5\n5\n0\n", "5\n1\n2\n30\n4000\n1000000000000\n", "5\n1\n9999999\n30\n4000\n3\n",
    " 5\n1\n2\n30\n4000\n3\n", "5\n1\n2\n30\n4000\n3\n\n",
  ])
  func `a file of another form is refused, and says where`(file: String) {
    #expect {
      try BreathingTotals(file: file)
    } throws: { error in
      guard case UserCommand.Refusal.invalid("totalTime.txt", let why) = error else { return false }
      return !why.isEmpty
    }
  }
}
