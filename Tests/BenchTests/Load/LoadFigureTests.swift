import Bench
import Testing

@Suite struct LoadFigureTests {
  @Test func `a spread is by nearest rank, and of nothing there is none`() {
    #expect(Spread([]) == nil)
    let one = Spread([7])
    #expect([one?.median, one?.p99, one?.largest] == [7, 7, 7])
    let hundred = Spread((1...100).reversed().map { Int64($0) })
    #expect(hundred?.count == 100)
    #expect([hundred?.median, hundred?.p99, hundred?.largest] == [50, 99, 100])
    #expect(Spread((1...101).map { Int64($0) })?.p99 == 100)
  }

  @Test func `the scarcest is what is nearest to its limit, not what is used most`() {
    let uses = [
      ResourceUse(.memory, used: 1_000_000, limit: 10_000_000),
      ResourceUse(.inotify, used: 100, limit: 128),
      ResourceUse(.threads, used: 2_000, limit: 9_000),
    ]
    #expect(ResourceUse.scarcest(uses)?.resource == .inotify)
    #expect(ResourceUse.scarcest([]) == nil)
    #expect(ResourceUse(.threads, used: 1, limit: 0).share == 1)
  }

  @Test func `a step is carried that is in time and has lost and doubled nothing`() {
    var step = LoadStep(keychains: 2)
    #expect(!step.isCarried(within: 1_000))
    step.lateP99 = 1_000
    #expect(step.isCarried(within: 1_000))
    #expect(!step.isCarried(within: 999))
    step.presses = 2
    #expect(!step.isCarried(within: 1_000))
    step.pressToDecided = Spread([900, 1_000])
    #expect(step.isCarried(within: 1_000))
    #expect(!step.isCarried(within: 999))
    for spoil in [
      { $0.lost = 1 }, { $0.doubled = 1 }, { $0.refusal = "no descriptor" },
    ] as [(inout LoadStep) -> Void] {
      var spoilt = step
      spoil(&spoilt)
      #expect(!spoilt.isCarried(within: 1_000))
    }
  }

  @Test func `presses are matched by device and number, whichever side is first`() {
    let ledger = PressLedger()
    let (first, second) = (
      PressLedger.Key(device: "a", event: "1.2"), PressLedger.Key(device: "b", event: "1.2")
    )
    ledger.closed("a", at: 1_000)
    ledger.note(.stored, of: first, at: 1_020)
    ledger.note(.decided, of: first, at: 1_050)
    ledger.note(.decided, of: second, at: 2_050)
    ledger.closed("b", at: 2_000)
    ledger.note(.stored, of: second, at: 2_020)
    ledger.closed("a", at: 3_000)
    ledger.note(.stored, of: PressLedger.Key(device: "a", event: "1.4"), at: 3_020)
    #expect(ledger.pressed.count == 3)
    let decided = ledger.spread(to: .decided, after: 0)
    #expect(decided?.count == 2 && decided?.largest == 50)
    #expect(ledger.spread(from: .stored, to: .decided, after: 0)?.largest == 30)
    #expect(ledger.unseen(.decided, after: 0) == 1)
    #expect(ledger.spread(to: .decided, after: 2_000)?.count == 1)
    // A stage is reached once: what is told again changes nothing.
    ledger.note(.decided, of: first, at: 9_000)
    #expect(ledger.spread(to: .decided, after: 0)?.largest == 50)
    #expect(ledger.spread(to: .told, after: 0) == nil)
  }

  @Test func `the end of a search names what was searched, and what gave out`() {
    var report = LoadReport(on: "memory:", owners: "each", limit: 50, search: "rate")
    report.steps = [LoadStep(keychains: 8, rate: 64), LoadStep(keychains: 8, rate: 128)]
    report.steps[1].lost = 1
    (report.carried, report.refused) = (64, 128)
    #expect(
      report.summary == "memory: carries 64 presses a second with a p99 within 50.0 ms, not 128:"
        + " presses were lost or doubled")
  }
}
