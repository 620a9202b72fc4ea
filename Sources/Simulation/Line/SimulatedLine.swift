import Emulator
import FobBase

/// A keychain's cable: both directions, and where it is plugged in.
final class SimulatedLine {
  var toHost: Pipe
  var toDevice: Pipe
  /// The host that it is plugged into; nil while it is unplugged.
  var host: Int?

  init(_ latency: ClosedRange<Int64>, host: Int, seed: UInt64) {
    toHost = Pipe(latency, seed: SplitSeed.seed(seed, 1))
    toDevice = Pipe(latency, seed: SplitSeed.seed(seed, 2))
    self.host = host
  }

  func set(_ kind: WireFault.Kind, _ way: WireFault.Direction, rate: Double, seed: UInt64) {
    if way != .device { toHost.set(WireFault(kind, .rate(rate), seed: seed)) }
    if way != .host { toDevice.set(WireFault(kind, .rate(rate), seed: ~seed)) }
  }

  func clear(_ kind: WireFault.Kind) {
    // A fault of zero bytes: it replaces the one before and hits nothing.
    toHost.set(WireFault(kind, .at(0, count: 0)))
    toDevice.set(WireFault(kind, .at(0, count: 0)))
  }

  func delay(by delay: Interval) {
    toHost.delay = delay
    toDevice.delay = delay
  }

  func clearFaults() {
    toHost.clearFaults()
    toDevice.clearFaults()
  }

  func discard() {
    toHost.discard()
    toDevice.discard()
  }
}
