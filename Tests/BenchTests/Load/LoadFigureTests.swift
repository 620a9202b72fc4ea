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
    ledger.stored(first, at: 1_020)
    ledger.decided(first, at: 1_050)
    ledger.decided(second, at: 2_050)
    ledger.closed("b", at: 2_000)
    ledger.stored(second, at: 2_020)
    ledger.closed("a", at: 3_000)
    ledger.stored(PressLedger.Key(device: "a", event: "1.4"), at: 3_020)
    #expect(ledger.pressed.count == 3)
    let all = ledger.summary(after: 0)
    #expect(all.pressToDecided?.count == 2)
    #expect(all.pressToDecided?.largest == 50)
    #expect(all.storedToDecided?.largest == 30)
    #expect(all.unseen == 1)
    #expect(ledger.summary(after: 2_000).pressToDecided?.count == 1)
  }
}
