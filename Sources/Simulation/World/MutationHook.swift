import AlertCore
import FobBase
import WireProtocol

/// Puts deliberate mistakes into a world, for tests of the search. The hook sits between the
/// machines and the world, and changes what passes as a mistake in a machine would.
protocol MutationHook: AnyObject {
  /// The firmware has been polled.
  /// - key: what it is paired by; nil: it is not.
  func polled(_ keychain: SimulatedKeychain, _ key: PairingKey?)
  func booted(_ keychain: SimulatedKeychain)
  /// A keychain is about to hear these bytes: it hears the answer.
  func hears(_ bytes: [UInt8], _ keychain: SimulatedKeychain, at now: Instant) -> [UInt8]
  /// A process is about to read these bytes of a line, by its session: it reads the answer.
  func reads(
    _ bytes: [UInt8], from line: Int, _ session: HostSession, _ key: PairingKey?
  ) -> [UInt8]
  /// A core is about to start on this state of its disk.
  func recovers(_ stored: inout StoredState, _ account: inout Account, _ host: SimulatedHost)
  /// An input of a line is about to be handed to the core of this account, one of `hosts`.
  func passes(_ input: CoreInput, to account: inout Int, of hosts: [SimulatedHost])
  /// A core is about to take an input; false: the input is dropped.
  func hears(_ input: inout CoreInput, _ host: SimulatedHost) -> Bool
  /// A core has decided the effects of an input.
  func decided(_ output: inout CoreOutput, on input: CoreInput, _ host: SimulatedHost)
  /// A bridge has posted a batch.
  func posted(_ batch: CheckedFeed, as post: Int)
  /// A core's end of a feed is about to take a batch; false: it answers the batch and drops it.
  func takes(_ batch: CheckedFeed) -> Bool
  /// A bridge is about to hear the answer to a post; nil: the post has failed.
  func answered(_ post: Int, _ acks: inout [EventAck]?)
  /// A bridge is about to perform a change that it has heard of its core.
  func follows(_ change: inout RemoteCoreState.Change)
}

extension MutationHook {
  func polled(_ keychain: SimulatedKeychain, _ key: PairingKey?) {}
  func booted(_ keychain: SimulatedKeychain) {}
  func hears(_ bytes: [UInt8], _ keychain: SimulatedKeychain, at now: Instant) -> [UInt8] { bytes }
  func reads(
    _ bytes: [UInt8], from line: Int, _ session: HostSession, _ key: PairingKey?
  ) -> [UInt8] { bytes }
  func recovers(_ stored: inout StoredState, _ account: inout Account, _ host: SimulatedHost) {}
  func passes(_ input: CoreInput, to account: inout Int, of hosts: [SimulatedHost]) {}
  func hears(_ input: inout CoreInput, _ host: SimulatedHost) -> Bool { true }
  func decided(_ output: inout CoreOutput, on input: CoreInput, _ host: SimulatedHost) {}
  func posted(_ batch: CheckedFeed, as post: Int) {}
  func takes(_ batch: CheckedFeed) -> Bool { true }
  func answered(_ post: Int, _ acks: inout [EventAck]?) {}
  func follows(_ change: inout RemoteCoreState.Change) {}
}
