import Emulator
import FobBase

/// What a trouble's end undoes.
enum Ending {
  case spoilt(keychain: Int, WireFault.Kind)
  case delayed(keychain: Int)
  case unplugged(keychain: Int, host: Int)
  case storeFailing(keychain: Int)
  case storeForgetful(keychain: Int)
  case disk(host: Int, DiskTrouble)
  case channel(host: Int, contact: Int, way: Int)
  case feed(FeedTrouble)
}

/// The ends of the troubles that last, by time.
struct ActiveFaults {
  private var waiting: [(at: Instant, ending: Ending)] = []

  var nextDue: Instant { waiting.first?.at ?? .never }

  mutating func add(_ ending: Ending, at due: Instant) {
    let place = waiting.firstIndex { $0.at > due } ?? waiting.count
    waiting.insert((due, ending), at: place)
  }

  mutating func take(upTo now: Instant) -> Ending? {
    guard let first = waiting.first, first.at <= now else { return nil }
    waiting.removeFirst()
    return first.ending
  }
}
