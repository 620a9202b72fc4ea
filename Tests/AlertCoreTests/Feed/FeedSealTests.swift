import FobBase
import Testing
import WireProtocol

@testable import AlertCore

/// A bridge carries what a keychain and its core seal, and can make none of it (PROTOCOL.md, 15).
struct FeedSealTests {
  private let press = EventRecord.press(1)

  // MARK: A sealed session through a bridge

  @Test func `a paired keychain at a bridge is linked by its proof, and believes its core's light`()
  {
    let feed = SealedFeed()
    feed.open()
    feed.run(.milliseconds(5))
    #expect(feed.heard == ["up \(keychain.text)"] && feed.proofs == [.given])
    #expect(feed.indicate(.accepted) == 0, "the bridge says no light of its own")
    #expect(feed.believed == ["accepted"])
  }

  @Test func `its press is proved at the core, acked there, and the ack is believed`() {
    let feed = SealedFeed.linked()
    feed.say(press)
    #expect(feed.heard == ["event 1.1 some time"])
    #expect(feed.acknowledge(press) == .sealed)
    #expect(feed.believed == ["ack 1.1"])
  }

  @Test func `its light is said behind each heartbeat, and stays fresh`() {
    let feed = SealedFeed.linked()
    feed.run(.milliseconds(5_500), beats: true)
    #expect(feed.believed.count == 5)
    #expect(feed.heard.allSatisfy { $0 == "heartbeat" } && feed.inputs.count >= 5)
  }

  @Test(arguments: [2_900, 3_100])
  func `a light that is held back for more than three seconds is not believed`(ms: Int64) {
    let feed = SealedFeed.linked()
    feed.isHeld = true
    feed.indicate(.accepted)
    feed.run(.milliseconds(ms), beats: true)
    feed.relay(feed.signals[0])
    #expect(feed.believed == (ms < 3_000 ? ["accepted"] : []))
  }

  @Test func `a press that is not proved is not acked in a sealed session; its proved copy is`() {
    let feed = SealedFeed.linked()
    feed.hearUnsealed(press)
    guard case .unprovedPress? = feed.inputs.last else {
      Issue.record("\(feed.inputs)")
      return
    }
    #expect(feed.acknowledge(press) == .sealed)
    #expect(feed.believed.isEmpty)
    feed.say(press)
    #expect(feed.acknowledge(press) == .sealed)
    #expect(feed.believed == ["ack 1.1"])
  }

  @Test func `a keychain of which nothing proved is heard is no longer linked, and asked again`() {
    let feed = SealedFeed.linked()
    feed.device = DeviceLink()
    feed.run(.seconds(11), beats: true)
    #expect(feed.heard == ["down: nothing that is proved was heard for 10 s"])
    feed.device.pair(with: SealedFeed.key)
    feed.open()
    #expect(feed.heard.last == "up \(keychain.text)")
  }

  // MARK: What a bridge makes up

  @Test func `an ack and a light that a bridge makes up are not believed`() {
    let feed = SealedFeed.linked()
    feed.say(press)
    feed.forge(press, Indication(state: .accepted))
    feed.run(.seconds(2))
    #expect(feed.believed.isEmpty)
  }

  @Test func `of what a bridge makes up in the keychain's name only a press counts, as unproved`() {
    let feed = SealedFeed.linked()
    feed.post([
      .heartbeat(Heartbeat()), .position(PositionFix()), .barePress(press.identity),
      .event(EventRecord.press(2, kind: .released), age: nil), .event(press, age: nil),
    ])
    #expect(feed.inputs.count == 2)
    #expect(feed.inputs.allSatisfy { if case .unprovedPress = $0 { true } else { false } })
  }

  @Test func `frames with a wrong tag count as if they had none`() {
    let feed = SealedFeed.linked()
    let trailer = [UInt8](repeating: 7, count: SealTrailer.size)
    func relayed(_ payload: some Payload) -> CheckedFeed.Input {
      let plain = RelayedFrame(FrameBody(payload, sequence: 0))
      return .relayed(
        RelayedFrame(
          head: plain.head | 8, rawType: plain.rawType, payload: plain.payload, trailer: trailer),
        age: nil)
    }
    feed.post([
      relayed(Heartbeat()), relayed(PositionFix()), relayed(press),
      relayed(EventRecord.press(2, kind: .released)),
    ])
    #expect(feed.inputs.count == 1)
    #expect(feed.inputs.allSatisfy { if case .unprovedPress = $0 { true } else { false } })
  }

  @Test func `frames of an earlier session count no more, in that session or in the next`() {
    let feed = SealedFeed.linked()
    feed.run(.milliseconds(2_500), beats: true)
    let old = feed.posted
    #expect(old.count >= 3, "the proof and two heartbeats")
    for _ in 0..<2 {
      feed.inputs = []
      feed.post(old)
      #expect(feed.heard.isEmpty)
      feed.open()
      feed.run(.milliseconds(5))
    }
  }

  @Test
  func `a token that names another's keychain without its proof links it not, nor ends its link`() {
    let feed = SealedFeed.linked()
    let hello = Hello.from(keychain)
    feed.take(FeedSample.batch([.heartbeat(Heartbeat())], hello: hello), of: "stolen")
    for second in 1...4 as ClosedRange<Int64> {
      feed.run(.milliseconds(1_100), beats: true)
      feed.take(FeedSample.batch(sequence: 1 + second, hello: hello), of: "stolen")
    }
    feed.take(FeedSample.batch(sequence: 9, hello: nil, down: "unplugged"), of: "stolen")
    #expect(feed.heard.allSatisfy { $0 == "heartbeat" })
    #expect(feed.unproved == [keychain] && feed.proofs == [.missing(keychain), .over])
    feed.inputs = []
    feed.say(press)
    #expect(feed.heard == ["event 1.1 some time"] && feed.acknowledge(press) == .sealed)
    #expect(feed.believed.last == "ack 1.1", "its own session goes on")
  }

  // MARK: Without a proof, and without a key

  @Test func `a keychain that gives no proof is told as before, and is not linked`() {
    let feed = SealedFeed.linked(isPaired: false)
    #expect(feed.unproved == [keychain])
    #expect(feed.indicate(.accepted) == 1)
    feed.say(press)
    guard case .unprovedPress? = feed.inputs.last else {
      Issue.record("\(feed.inputs)")
      return
    }
    guard case .completes(let answer) = feed.acknowledge(press),
      answer.acks == [EventAck(press.identity)]
    else {
      Issue.record("a press without proof was not acked without a session")
      return
    }
  }

  @Test func `a core without its key hears a paired keychain's presses, and nothing else of it`() {
    let feed = SealedFeed.linked()
    feed.use([:])
    #expect(feed.heard == ["up \(keychain.text)"])
    feed.inputs = []
    feed.say(press)
    feed.say(Heartbeat())
    #expect(feed.heard == ["event 1.1 some time"])
  }

  @Test func `a keychain whose key becomes known is asked for its proof`() {
    let feed = SealedFeed()
    feed.use([:])
    feed.open()
    #expect(feed.heard == ["up \(keychain.text)"])
    feed.use([keychain: SealedFeed.key])
    #expect(feed.heard.count == 2, "\(feed.heard)")
    feed.indicate(.accepted)
    #expect(feed.believed == ["accepted"])
  }

  // MARK: The key of a label

  @Test func `a keychain at a bridge proves the key of its label, and is then as any`() {
    let feed = SealedFeed()
    feed.use([:])
    feed.open()
    #expect(feed.heard == ["up \(keychain.text)"], "by its word, as the core has no key")
    #expect(feed.ask(for: SealedFeed.key))
    feed.run(.milliseconds(5))
    #expect(feed.asked == [true] && feed.proofs.isEmpty)
    feed.use([keychain: SealedFeed.key])
    feed.run(.milliseconds(5))
    #expect(feed.proofs == [.given])
    feed.indicate(.accepted)
    #expect(feed.believed.last == "accepted")
  }

  @Test func `the label of another is refused there, and the sealed session goes on`() {
    let feed = SealedFeed.linked()
    #expect(feed.ask(for: PairingKey(low: 7, high: 8)))
    feed.run(.seconds(4), beats: true)
    #expect(feed.asked == [false] && feed.unproved.isEmpty)
    feed.indicate(.accepted)
    #expect(feed.believed.last == "accepted")
  }

  @Test func `a stranger's token that names the keychain does not keep it from its label`() {
    let feed = SealedFeed()
    feed.use([:])
    feed.take(FeedSample.batch(hello: .from(keychain)), of: "a stranger")
    feed.open()
    feed.take(FeedSample.batch(sequence: 2, hello: .from(keychain)), of: "z stranger")
    #expect(feed.ask(for: SealedFeed.key))
    feed.run(.seconds(4), beats: true)
    #expect(feed.asked == [true], "once, by the line that proves it")
    #expect(feed.ask(for: PairingKey(low: 7, high: 8)))
    feed.run(.seconds(4), beats: true)
    #expect(feed.asked == [true, false], "once, when no line has proved it")
  }

  // MARK: A pairing of which nobody knows the end

  @Test(arguments: [false, true])
  func `a keychain at a bridge proves the key that it was offered`(hadKey: Bool) {
    let feed = SealedFeed()
    feed.use(hadKey ? [keychain: PairingKey(low: 7, high: 8)] : [:], offered: SealedFeed.key)
    feed.open()
    feed.run(.seconds(4), beats: true)
    #expect(Set(feed.offers) == [true])
  }

  @Test func `one that proves its older key there has not taken it`() {
    let feed = SealedFeed()
    feed.use([keychain: SealedFeed.key], offered: PairingKey(low: 7, high: 8))
    feed.open()
    feed.run(.milliseconds(10))
    #expect(feed.offers == [false] && feed.proofs == [.given])
  }

  @Test func `one that says that it has no key settles nothing, for any bridge may say so`() {
    let feed = SealedFeed(isPaired: false)
    feed.use([:], offered: SealedFeed.key)
    feed.open()
    feed.run(.seconds(4), beats: true)
    #expect(feed.offers.isEmpty)
  }

  @Test func `nobody is asked where no bridge has the keychain, or its own proof is awaited`() {
    let feed = SealedFeed(isPaired: false)
    #expect(!feed.ask(for: SealedFeed.key))
    feed.open()
    #expect(!feed.ask(for: SealedFeed.key))
    feed.run(.seconds(4), beats: true)
    #expect(feed.ask(for: SealedFeed.key))
    feed.run(.seconds(4), beats: true)
    #expect(feed.asked == [false])
  }
}
