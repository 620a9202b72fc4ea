import FobBase
import Judge
import WireProtocol

/// A digest of all observations of a world and of every byte on its lines. The same seed gives the
/// same digest in every run and every build.
struct TraceHash {
  private(set) var value: UInt64 = 0x6A09_E667_F3BC_C908

  mutating func mix(_ word: UInt64) {
    value = (value ^ word) &* 0x9E37_79B9_7F4A_7C15
    value ^= value >> 29
  }

  mutating func mix(_ bytes: UnsafeRawBufferPointer, at now: Instant) {
    mix(UInt64(bitPattern: now.microseconds) << 20 ^ UInt64(CRC32C.of(bytes)))
  }

  mutating func mix(_ observation: Observation, at now: Instant) {
    mix(UInt64(bitPattern: now.microseconds))
    switch observation {
    case .contact(let keychain, let closed): mix(1, keychain, closed ? 1 : 0)
    case .power(let keychain, let isOn): mix(2, keychain, isOn ? 1 : 0)
    case .kept(let keychain, let event, let isVolatile):
      mix(3, keychain, isVolatile ? 1 : 0)
      mix(event)
    case .boardForgot(let keychain, let identity): mix(4, keychain, Int(identity.crc))
    case .said(let keychain, let event, let identity):
      mix(23, keychain, Int(identity.crc))
      mix(event)
    case .light(let keychain, let state, let sounder):
      mix(5, keychain, Int(state.rawValue) << 1 | (sounder ? 1 : 0))
    case .unacked(let keychain, let count): mix(6, keychain, count)
    case .started(let host, let standing):
      mix(7, host, 0)
      mix(standing.incident)
      mix(standing.state.rawValue)
    case .stopped(let host): mix(8, host, 0)
    case .rebooted(let host, let elapsed): mix(9, host, Int(elapsed.microseconds))
    case .heard(let host, let event):
      mix(10, host, 0)
      mix(event)
    case .stored(let host, let batch): mix(batch, host)
    case .diskForgot(let host, let identities):
      mix(12, host, identities.count)
      for identity in identities { mix(UInt64(identity.crc)) }
    case .acked(let host, let number, let keychain, let crc):
      mix(13, host, keychain)
      mix(number.rawValue ^ UInt64(crc) << 16)
    case .indicated(let host, let incident, let state, let sounder, _, let due):
      mix(14, host, due << 8 | Int(state.rawValue) << 1 | (sounder ? 1 : 0))
      mix(incident)
    case .moved(let host, let incident, let from, let to):
      mix(15, host, 0)
      mix(incident)
      mix(from.rawValue)
      mix(to.rawValue)
    case .asked(let host, let request, _): mix(16, host, Int(request))
    case .answered(let host, let request, let state, let isRefused, let isDurable):
      mix(17, host, Int(request) << 2 | (isRefused ? 2 : 0) | (isDurable ? 1 : 0))
      mix(state.rawValue)
    case .queues(let host, let events, let log, let deliveries, let line):
      mix(18, host, events)
      mix(UInt64(log), deliveries, line)
    case .handedOut(let host, let message):
      mix(19, host, message.sequence << 2 | message.way)
      mix(message.key)
    case .told(let host, let message):
      mix(20, host, message.sequence)
      mix(message.key)
    case .refused(let host, let message):
      mix(21, host, message.sequence)
      mix(message.key)
    case .calm: mix(22)
    case .cutOff(let keychain, let isCutOff): mix(25, keychain, isCutOff ? 1 : 0)
    case .account(let host, let account): mix(account, host)
    case .forgotten, .beat, .sent, .heardUnproved, .believed: mixAttacked(observation)
    case .raised, .checkInSaid, .wallClock, .zone, .companionsFound: mixCheckIns(observation)
    case .exerciseSaid, .companionsRead, .wordSeen, .ownersRows: mixCalm(observation)
    }
  }

  private mutating func mixAttacked(_ observation: Observation) {
    switch observation {
    case .forgotten(let keychain, let number):
      mix(47, keychain, 0)
      mix(number.rawValue)
    case .beat(let keychain, let uptime):
      mix(48, keychain, 0)
      mix(uptime)
    case .sent(let keychain, let identity): mix(51, keychain, Int(identity.crc))
    case .heardUnproved(let host, let event):
      mix(49, host, 0)
      mix(event)
    case .believed(let host, let keychain, let uptime):
      mix(50, host, keychain)
      mix(uptime)
    default: break
    }
  }

  private mutating func mixCheckIns(_ observation: Observation) {
    switch observation {
    case .raised(let host, let incident, let name):
      mix(26, host, name?.series ?? 0)
      mix(incident)
      if let name { mix(name.key) }
    case .checkInSaid(let host, let word, let name):
      mix(27, host, name.series)
      mix(word.rawValue)
      mix(name.key)
    case .wallClock(let host, let wall):
      mix(28, host, 0)
      mix(UInt64(bitPattern: wall))
    case .zone(let host, let zone):
      mix(29, host, Int(zone.first))
    case .companionsFound(let host, let found):
      mix(found, host)
    default: break
    }
  }

  private mutating func mixCalm(_ observation: Observation) {
    switch observation {
    case .exerciseSaid(let host, let word):
      switch word {
      case .started(let kind, let click):
        mix(36, host, kind == .breathing ? 1 : 0)
        mix(click?.rawValue ?? 0)
      case .ended(let kind): mix(37, host, kind == .breathing ? 1 : 0)
      case .brokenOff: mix(38, host, 0)
      case .totalsReplaced: mix(38, host, 1)
      }
    case .companionsRead(let host, let reviews, let breathing):
      mix(39, host, reviews.count)
      for row in reviews { mix(row) }
      mix(UInt64(breathing.seconds), breathing.count, 0)
    case .wordSeen(let host, let word, let place):
      mix(40, host, 0)
      mix(word)
      mix(place.rawValue)
    case .ownersRows(let host, let rows):
      mix(46, host, rows.count)
      for row in rows { mix(row) }
    default: break
    }
  }

  private mutating func mix(_ review: Batch.ReviewRow) {
    mix(41, review.id, 0)
    mix(review.incident ?? 0)
    for answer in review.answers { mix(answer) }
  }

  private mutating func mix(_ kind: UInt64, _ a: Int, _ b: Int) {
    mix(kind << 56 ^ UInt64(bitPattern: Int64(a)) << 48 ^ UInt64(bitPattern: Int64(b)))
  }

  private mutating func mix(_ event: Event) {
    mix(event.identity.number.rawValue)
    mix(UInt64(event.identity.crc) << 16 | UInt64(event.flags.rawValue) << 8)
    mix(UInt64(event.covered) ^ event.firstCovered.rawValue)
  }

  private mutating func mix(_ batch: Batch, _ host: Int) {
    mix(11, host, batch.entries.count)
    for entry in batch.entries {
      mix(entry.event)
      mix(entry.incident ^ (entry.isOpen ? 1 : 0))
    }
    for (identity, incident) in batch.meanings {
      mix(UInt64(identity.crc))
      mix(incident)
    }
    for incident in batch.incidents {
      mix(incident.name)
      mix(incident.state.rawValue)
      mix(UInt64(incident.presses.count))
    }
    for series in batch.series { mix(30, series.id, series.plan.minute) }
    for id in batch.removedSeries { mix(31, id, 0) }
    for row in batch.checkIns {
      mix(32, row.name.series, Int(row.runsOut / 1_000_000))
      mix(row.name.key)
      mix(row.state.rawValue)
    }
    for name in batch.forgottenCheckIns { mix(33, name.series, 0) }
    for (slot, contact) in batch.slots { mix(34, slot, contact ?? -1) }
    for send in batch.sends {
      mix(35, send.slot, send.contact)
      mix(send.name)
      mix(send.state.rawValue)
    }
    if let session = batch.session { mix(42, session.seconds, session.isOver ? 1 : 0) }
    if let total = batch.breathing { mix(43, total.seconds, total.count) }
    for review in batch.reviews { mix(review) }
    for id in batch.removedReviews { mix(44, id, 0) }
    if batch.affirmations > 0 { mix(45, batch.affirmations, 0) }
  }

  private mutating func mix(_ account: AccountState, _ host: Int) {
    let flags = (account.isLoggedIn ? 2 : 0) | (account.isProtecting ? 1 : 0)
    mix(24, host, flags | (account.exists ? 0 : 4))
    for device in account.keychains?.sorted() ?? [] { mix(device.rawValue) }
    for contact in account.contacts?.sorted() ?? [] { mix(UInt64(contact)) }
  }

  private mutating func mix(_ text: String) {
    for byte in text.utf8 { mix(UInt64(byte)) }
  }
}
