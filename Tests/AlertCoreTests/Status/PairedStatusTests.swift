import FobBase
import Testing
import WireProtocol

@testable import AlertCore

/// What the status says of keychains that the core has a key for (PROTOCOL.md, 15).
struct PairedStatusTests {
  private static func status(_ bench: CoreBench) -> CoreStatus { bench.core.status(at: bench.now) }

  private static func paired() -> CoreBench {
    var bench = CoreBench(.protecting)
    bench.hand(.paired([keychain]))
    return bench
  }

  private static func isProved(_ bench: CoreBench) -> Bool? { status(bench).devices[0].isProved }

  @Test func `a keychain says whether it is paired, and whether its line is proved now`() {
    var bench = Self.paired()
    bench.hand(.linkUp(line, .from(keychain)))
    bench.hand(.proof(line, .given))
    #expect(Self.status(bench).devices[0].isPaired && Self.isProved(bench) == true)
    #expect(!Self.status(bench).concerns.contains(.unproved))
    bench.hand(.linkDown(line, reason: "unplugged"))
    #expect(Self.isProved(bench) == false)
    #expect(!Self.status(bench).concerns.contains(.unproved), "it is not there")
    bench.hand(.pairing(keychain, .ended, by: "console"))
    #expect(!Self.status(bench).devices[0].isPaired && Self.isProved(bench) == nil)
  }

  @Test func `a paired keychain that shows no key is an error, in words, until that is over`() {
    var bench = Self.paired()
    bench.hand(.proof(line, .missing(keychain)))
    let status = Self.status(bench)
    #expect(status.concerns.first == .unproved && status.overall == .error)
    #expect(status.lines[0].code == .linkUnproved && status.lines[0].level == .error)
    #expect(status.warnings.contains { $0.hasPrefix("keychain \(keychain.text) is paired, and") })
    bench.hand(.proof(line, .over))
    #expect(!Self.status(bench).concerns.contains(.unproved))
    bench.hand(.proof(line, .missing(keychain)))
    bench.hand(.linkUp(line, .from(keychain)))
    bench.hand(.proof(line, .given))
    #expect(!Self.status(bench).concerns.contains(.unproved))
    #expect(Self.status(bench).lines[0].code == .linkUp)
  }

  @Test func `a paired keychain at a bridge on another host is one as any, and that is told`() {
    var bench = Self.paired()
    let remote = LinkID(rawValue: FeedTable.firstLink)
    bench.hand(.proof(remote, .missing(keychain)))
    #expect(Self.status(bench).concerns.first == .unproved)
    bench.hand(.linkUp(remote, .from(keychain)))
    bench.hand(.proof(remote, .given))
    let device = Self.status(bench).devices[0]
    #expect(device.isRemote && device.isLinked && device.isProved == true)
    #expect(!Self.status(bench).concerns.contains(.unproved))
    bench.hand(.linkUp(LinkID(rawValue: 1), .from(otherKeychain)))
    #expect(Self.status(bench).devices.map(\.isRemote) == [true, false])
  }

  @Test func `who paired a keychain, and who ended that, is in the log`() {
    var bench = CoreBench(.protecting)
    bench.hand(.pairing(keychain, .byCable, by: "owner-page"))
    bench.hand(.pairing(keychain, .ended, by: "control-socket"))
    let told = [bench.happened(.keychainPaired), bench.happened(.keychainUnpaired)].flatMap(\.self)
    #expect(told.map(\.who) == ["owner-page", "control-socket"])
    #expect(told.map(\.device) == [keychain.text, keychain.text])
    bench.run(for: .seconds(2))
    #expect(bench.store.log.suffix(2).map(\.name) == [.keychainPaired, .keychainUnpaired])
  }
}
