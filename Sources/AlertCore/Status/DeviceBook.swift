import FobBase
public import WireProtocol

/// The keychains that are known: their links, last readings, and what was told of them.
struct DeviceBook: Sendable {
  struct Entry: Sendable {
    var link: LinkID?
    /// When its last HELLO, HEARTBEAT or POSITION came: events do not count.
    var heardAt: Timestamp?
    /// Per cent; nil: never read, or the keychain does not know.
    var battery: UInt8?
    var batteryAt: Timestamp?
    /// Low from 20 % down, no longer low above 22 % (G6).
    var isBatteryLow = false
    /// As its last HELLO says: it has no battery, no GPS receiver.
    var saysNoBattery = false
    var saysNoGPS = false
    /// It has told a level in this run, in whatever boot.
    var hasToldCharge = false
    var fix: PositionQuality?
    var fixAt: Timestamp?
    /// Why its protocol version does not fit; nil: it does.
    var versionTrouble: String?
    /// When it last sent a position.
    var locatedAt: Timestamp?
    /// The boot nonce of its last HELLO; nil: none in this run.
    var bootNonce: UInt32?
    /// Of its position at `locatedAt`, dm; nil: unknown.
    var accuracy: UInt16?
    /// As its last HEARTBEAT says.
    var light: LinkEvent.Light?
    var record = DeviceRecord()

    /// Nil: it has not said HELLO in this run.
    var hasBattery: Bool? { bootNonce == nil ? nil : !hasNoBattery }
    /// It says so, and has never contradicted it: one that has may be empty.
    var hasNoBattery: Bool { saysNoBattery && !hasToldCharge }
    /// Its clock or numbers have contradicted themselves in its present boot.
    var isDoubted: Bool { bootNonce != nil && record.doubtedBoot == bootNonce }
  }

  private(set) var entries: [DeviceID: Entry] = [:]
  private var lines: [LinkID: DeviceID] = [:]
  /// Lines that cannot be opened, and why.
  private(set) var troubles: [LinkID: String] = [:]
  /// The keychains that this core has a key for.
  var paired: Set<DeviceID> = []
  /// The lines whose keychain has shown that it has that key.
  private var proved: Set<LinkID> = []
  /// The lines whose keychain says that it has a key.
  private var keyed: Set<LinkID> = []
  /// The lines on which somebody names a paired keychain, and shows no key.
  private var unproved: [LinkID: DeviceID] = [:]
  /// Why the keys cannot be read, in words; nil where they were.
  var keyTrouble: String?
  /// By which days begin.
  var zone = ZoneTable.utc

  fileprivate static let lowAt: UInt8 = 20
  fileprivate static let hysteresis: UInt8 = 2

  mutating func recover(_ records: [DeviceID: DeviceRecord]) {
    for (device, record) in records { entries[device, default: Entry()].record = record }
  }

  func device(on link: LinkID) -> DeviceID? { lines[link] }

  /// Linked keychains, by id.
  var linked: [(device: DeviceID, entry: Entry)] {
    entries.filter { $0.value.link != nil }.sorted { $0.key < $1.key }
      .map { ($0.key, $0.value) }
  }

  /// Each line and the keychain that it names, by id. Of several that name one, each is here.
  var onLines: [(link: LinkID, device: DeviceID)] {
    lines.map { ($0.key, $0.value) }.sorted { ($0.1, $0.0.rawValue) < ($1.1, $1.0.rawValue) }
  }

  /// A keychain has answered HELLO on a line.
  /// - Parameter isKept: false where the line goes up and down too often for each change to be
  ///   stored.
  mutating func linkUp(
    _ link: LinkID, _ hello: Hello, isKept: Bool, at now: Timestamp, _ output: inout CoreOutput
  ) {
    let device = hello.deviceID
    if let earlier = lines.updateValue(device, forKey: link), earlier != device {
      unlink(earlier, from: link)
    }
    if entries[device] == nil { makeRoom() }
    troubles[link] = nil
    proved.remove(link)
    if hello.capabilities & Hello.isPaired != 0 { keyed.insert(link) } else { keyed.remove(link) }
    var entry = entries[device] ?? Entry()
    entry.link = link
    entry.heardAt = now
    entry.bootNonce = hello.bootNonce
    entry.versionTrouble = hello.versionTrouble
    entry.saysNoBattery = hello.capabilities & Hello.hasNoBattery != 0
    entry.saysNoGPS = hello.capabilities & Hello.hasNoGPS != 0
    // A keychain that was just started knows neither yet.
    entry.battery = nil
    entry.fix = nil
    entry.fixAt = nil
    let software = hello.software
    let firmware = "\(software.major).\(software.minor).\(software.patch)"
    if isKept, entry.record.firmware != firmware {
      entry.record.firmware = firmware
      entry.record.firstSeenWall = entry.record.firstSeenWall ?? now.wall
      output.changes.devices[device] = entry.record
    }
    entries[device] = entry
  }

  /// Two lines name the keychain, so neither says where it is.
  func isOnSeveralLines(_ device: DeviceID) -> Bool {
    lines.values.count { $0 == device } > 1
  }

  mutating func doubt(_ device: DeviceID, boot nonce: UInt32, _ output: inout CoreOutput) {
    guard let place = entries.index(forKey: device) else { return }
    entries.values[place].record.doubtedBoot = nonce
    output.changes.devices[device] = entries.values[place].record
  }

  /// Forgets the keychain that was silent longest among the unlinked ones, since a line may name a
  /// new keychain at each opening.
  private mutating func makeRoom() {
    guard entries.count >= Limits.devices else { return }
    let unlinked = entries.filter { $0.value.link == nil }
    let oldest = unlinked.min {
      ($0.value.heardAt?.instant ?? .min, $0.key) < ($1.value.heardAt?.instant ?? .min, $1.key)
    }
    if let oldest { entries[oldest.key] = nil }
  }

  /// - Returns: the keychain that was on the line.
  mutating func linkDown(_ link: LinkID) -> DeviceID? {
    proved.remove(link)
    keyed.remove(link)
    guard let device = lines.removeValue(forKey: link) else { return nil }
    unlink(device, from: link)
    return device
  }

  // MARK: Keys

  mutating func pair(_ device: DeviceID, _ isPaired: Bool) {
    if isPaired { paired.insert(device) } else { paired.remove(device) }
  }

  mutating func take(_ proof: LineProof, on link: LinkID) {
    unproved[link] = nil
    switch proof {
    case .given: proved.insert(link)
    case .missing(let device):
      proved.remove(link)
      unproved[link] = device
    case .over: break
    }
  }

  /// Whether what is linked as this keychain has shown its key; nil where it is not paired.
  func isProved(_ device: DeviceID) -> Bool? {
    guard paired.contains(device) else { return nil }
    return entries[device]?.link.map { proved.contains($0) } ?? false
  }

  /// Whether something answers in the name of this paired keychain, and nothing shows its key.
  func isUnproved(_ device: DeviceID) -> Bool {
    isFeigned(device) && isProved(device) != true
  }

  /// Whether something answers in the name of this paired keychain, and does not show its key: also
  /// where another line does.
  private func isFeigned(_ device: DeviceID) -> Bool {
    paired.contains(device) && unproved.values.contains(device)
  }

  /// The paired keychains of which that holds, by id.
  var feignedDevices: [DeviceID] { paired.filter(isFeigned).sorted() }

  /// The linked keychains that say that they have a key, of which there is none here, by id.
  var strangers: [DeviceID] {
    Set(keyed.compactMap { lines[$0] }).subtracting(paired).sorted()
  }

  /// Links the keychain to another line that names it, if there is any.
  private mutating func unlink(_ device: DeviceID, from link: LinkID) {
    guard entries[device]?.link == link else { return }
    let others = lines.filter { $0.value == device }.keys
    entries[device]?.link = others.min { $0.rawValue < $1.rawValue }
  }

  /// A line cannot be opened.
  /// - Returns: whether the reason is new.
  mutating func cannotOpen(_ link: LinkID, _ reason: String) -> Bool {
    troubles.updateValue(reason, forKey: link) != reason
  }

  /// - Returns: the keychain, where it is linked by this line.
  mutating func heard(
    _ beat: Heartbeat, from link: LinkID, at now: Timestamp, _ output: inout CoreOutput
  ) -> DeviceID? {
    guard let device = lines[link], let place = entries.index(forKey: device) else { return nil }
    // Changed in place: each keychain says this every second, and an entry is large.
    entries.values[place].heard(charge: beat.charge, at: now)
    entries.values[place].light = LinkEvent.Light(beat)
    if let percent = beat.charge, percent < Self.lowAt {
      var record = entries.values[place].record
      tellLowBattery(device, percent, &record, at: now, &output)
      entries.values[place].record = record
    }
    return entries.values[place].link == link ? device : nil
  }

  /// Logs a low battery once a local day (R34), also over restarts.
  private func tellLowBattery(
    _ device: DeviceID, _ percent: UInt8, _ record: inout DeviceRecord, at now: Timestamp,
    _ output: inout CoreOutput
  ) {
    let day = Int64(zone.date(at: now.wall).day)
    // Yesterday's date is a wall clock that was set back, and no new day. One set back by more had
    // been wrong before, and must not suppress the warning.
    if let told = record.lowBatteryDay, day == told || day == told &- 1 { return }
    record.lowBatteryDay = day
    output.changes.devices[device] = record
    output.note(AuditEvent(.batteryLow, at: now, device: device, .battery(percent: percent)))
  }

  /// An event tells of a battery, whatever HELLO said. Its level may be an old one.
  mutating func heard(_ record: EventRecord) {
    guard record.batteryPercent != 255 || record.identity.kind?.isOfBattery == true,
      let place = entries.index(forKey: record.identity.deviceID)
    else { return }
    entries.values[place].hasToldCharge = true
  }

  mutating func heard(_ fix: PositionFix, from link: LinkID, at now: Timestamp) {
    guard let device = lines[link], let place = entries.index(forKey: device) else { return }
    entries.values[place].heard(fix, at: now)
  }
}

extension DeviceBook.Entry {
  fileprivate mutating func heard(charge: UInt8?, at now: Timestamp) {
    heardAt = now
    battery = charge
    batteryAt = now
    guard let percent = charge else { return }
    hasToldCharge = true
    if percent <= DeviceBook.lowAt {
      isBatteryLow = true
    } else if percent > DeviceBook.lowAt + DeviceBook.hysteresis {
      isBatteryLow = false
    }
  }

  fileprivate mutating func heard(_ fix: PositionFix, at now: Timestamp) {
    heardAt = now
    self.fix = fix.quality
    fixAt = now
    guard fix.quality != .none else { return }
    locatedAt = now
    accuracy = fix.accuracy == .max ? nil : fix.accuracy
  }
}

extension EventKind {
  /// Whether the event tells a level of the battery.
  var isOfBattery: Bool {
    self == .batteryLow || self == .batteryCritical || self == .batteryRecovered
  }
}

extension Hello {
  /// Why this host and the device share no protocol version; nil where they do.
  public var versionTrouble: String? {
    guard !(versionMin...max(versionMin, versionMax)).contains(FrameHead.version) else {
      return nil
    }
    return "it speaks protocol \(versionMin) to \(versionMax), this bridge \(FrameHead.version):"
      + " its presses raise the alarm, nothing else works; update one"
  }
}
