import FobBase
import WireProtocol

extension AlertCore {
  /// After so long without a POSITION the GPS counts as silent.
  private static let gpsSilence = Interval.seconds(30)

  /// The account in its last state, durable or not.
  public var account: Account { engine.account }

  /// An alarm is open that is not nobody's: nothing else can be reached (R36).
  public var isLocked: Bool { engine.isLocked }

  /// One of R40's six, without the rest of the status.
  public var state: EmergencyState { engine.state }

  /// The status for people and programs, read from memory alone: no I/O.
  public func status(at now: Timestamp) -> CoreStatus {
    let account = engine.account
    let trouble = commitQueue.trouble(within: policy.commitWithin, at: now)
    var shown = Set(account.devices?.compactMap(DeviceID.init(text:)) ?? [])
    shown.formUnion(book.linked.map(\.device) + book.feignedDevices)
    let devices = shown.sorted().map { device(of: $0, trouble, at: now) }
    let owned = devices.filter(\.isOwned)
    // Logged out, or before a claim, what is plugged in is still told as plugged in.
    let worst = (owned.isEmpty ? devices : owned).max { $0.overall < $1.overall }
    let lines = worst?.lines ?? readings(of: nil, trouble, at: now).lines
    let checkIns = checkInStatus(at: now)
    let concerns = concerns(trouble, lines, checkIns)
    let overall = concerns.map { $0.level(in: lines) }.max() ?? .good
    let checkedAt = book.entries.values.compactMap(\.heardAt).max { $0.instant < $1.instant }
    let checked = [checkedAt, refreshedAt].compactMap(\.self).max { $0.instant < $1.instant }
    return CoreStatus(
      state: engine.state, incident: engine.incident, nextMessage: engine.nextMessage,
      contacts: account.contacts.count, unreachable: engine.unreachable, warnings: warnings,
      storageFailure: trouble, account: accountStatus, concerns: concerns,
      overall: overall, summary: overall.summary,
      checked: checked.map { Age.checked(now.since($0)) },
      checkedAt: checked, lines: lines, devices: devices,
      links: book.linked.map {
        CoreStatus.Link(
          device: $0.device.text, batteryPercent: $0.entry.battery,
          heardAt: $0.entry.heardAt ?? now)
      }, checkIns: checkIns, profile: policy.profile.name, now: now)
  }

  /// What each keychain of the account shows and where it was last, by its id: at a bridge on
  /// another host, too. No position where the account does not allow that they are used (R57).
  public var readings: [String: KeychainReading] {
    var readings: [String: KeychainReading] = [:]
    for (device, entry) in book.entries where engine.owns(device) {
      readings[device.text] = KeychainReading(
        light: entry.link == nil ? nil : entry.light, position: engine.positions[device],
        accuracy: entry.accuracy.map { Double($0) / 10 }, hasBattery: entry.hasBattery)
    }
    return readings
  }

  private var accountStatus: CoreStatus.AccountStatus {
    let account = engine.account
    let emergency = EmergencyNumber(country: account.country)
    return CoreStatus.AccountStatus(
      exists: account.exists, isSetUp: account.isSetUp, isLoggedIn: account.isLoggedIn,
      hasPIN: account.pinHash != nil, isEmailConfirmed: account.isEmailConfirmed,
      isProtecting: account.isProtecting,
      missingForProtection: account.missingForProtection(policy), country: account.country,
      language: account.language, zone: account.zone,
      emergencyNumber: emergency.text, isEmergencyNumberKnown: emergency.isKnown)
  }

  private func concerns(
    _ trouble: String?, _ lines: [StatusRow], _ checkIns: CheckInStatus
  ) -> [CoreStatus.Concern] {
    let account = engine.account
    let isBad = Set(lines.lazy.filter { $0.level > .good }.map(\.kind))
    let holds: (CoreStatus.Concern) -> Bool = {
      switch $0 {
      case .alarm: engine.state != .noEmergency
      case .storage: trouble != nil
      case .damage: damage != nil
      case .noAccount: !account.exists
      case .loggedOut: account.exists && !account.isLoggedIn
      case .noKeychain: account.isActive && account.devices?.isEmpty == true
      case .unproved: !book.feignedDevices.isEmpty
      case .noKey: book.keyTrouble != nil || !book.strangers.isEmpty
      case .link: isBad.contains(.link)
      case .checkIn: checkIns.overdue > 0
      case .checkInsRaiseNothing: checkIns.raisesNothing
      case .noContacts: account.isActive && account.contacts.isEmpty
      case .unreachable: account.isActive && !engine.unreachable.isEmpty
      case .battery: isBad.contains(.battery) && !isBad.contains(.link)
      case .gps: isBad.contains(.gps) && !isBad.contains(.link)
      case .doubted: book.linked.contains { $0.entry.isDoubted }
      case .notSetUp: account.isActive && !account.isSetUp
      case .notProtecting: account.isActive && !account.isProtecting
      case .protectionLacks:
        account.isProtecting && !account.missingForProtection(policy).isEmpty
      case .unconfirmedEmail:
        policy.canMail && account.isActive && !account.email.isEmpty
          && !account.isEmailConfirmed
      case .noPIN: account.isActive && account.pinHash == nil
      }
    }
    return CoreStatus.Concern.allCases.filter(holds)
  }

  private var warnings: [String] {
    let account = engine.account
    var warnings: [String] = damage.map { ["\($0.words); \($0.advice)"] } ?? []
    if !account.exists {
      warnings.append("there is no account: a press is stored and shown, and nobody is told")
    } else if !account.isLoggedIn {
      warnings.append("logged out: a press is stored and shown, and nobody is told")
    } else {
      if account.contacts.isEmpty {
        warnings.append(
          engine.channels.isEmpty
            ? "no contacts: an alarm would be told to no one"
            : "no contacts: an alarm would be told to no person")
      }
      if account.pinHash == nil { warnings.append("no PIN: anybody can cancel an alarm") }
      if account.devices?.isEmpty == true { warnings.append("no keychain is claimed") }
      if account.isProtecting, !account.mayLocate {
        warnings.append("positions are not used: contacts would not be told where you are")
      }
    }
    for device in book.feignedDevices {
      let (place, advice) =
        book.isUnproved(device) ? ("", "; pair it anew") : (" on another line", "")
      warnings.append(
        "keychain \(device.text) is paired, and what answers in its name\(place) does not prove"
          + " that it is that one: its presses raise the alarm, and nothing else of it"
          + " counts\(advice)")
    }
    if let trouble = book.keyTrouble {
      warnings.append(
        "the keys of paired keychains cannot be read: \(trouble); presses raise the alarm, and no"
          + " keychain can prove that it is one")
    }
    for device in book.strangers {
      warnings.append(
        "keychain \(device.text) has a key that is not here: its presses raise the alarm, and it"
          + " believes nothing that this core says; pair it by its label, or anew by its button")
    }
    for (device, entry) in book.linked where entry.isDoubted {
      warnings.append(
        "keychain \(device.text): its clock or numbers do not fit what was heard before, so no"
          + " press of it is taken for an older one until it is started anew")
    }
    for (device, entry) in book.linked {
      if let trouble = entry.versionTrouble { warnings.append("\(device.text): \(trouble)") }
    }
    for contact in engine.unreachable {
      warnings.append("\(contact) cannot be reached by any notification channel that is configured")
    }
    return warnings
  }

  private func device(
    of device: DeviceID, _ trouble: String?, at now: Timestamp
  ) -> CoreStatus.Device {
    let entry = book.entries[device]
    var readings = readings(of: entry, trouble, at: now)
    if readings.sinceLocated == nil, let position = engine.positions[device] {
      readings.sinceLocated = Interval(microseconds: max(0, now.wall &- position.wall))
    }
    if book.isUnproved(device) { readings.link = .unproved }
    return CoreStatus.Device(
      device: device.text, isOwned: engine.owns(device), isBench: device.isBench,
      isLinked: entry?.link != nil, isRemote: entry?.link?.isRemote ?? false,
      isPaired: book.paired.contains(device), isProved: book.isProved(device),
      heardAt: entry?.heardAt, firmware: entry?.record.firmware,
      overall: readings.overall, lines: readings.lines)
  }

  private func readings(
    of entry: DeviceBook.Entry?, _ trouble: String?, at now: Timestamp
  ) -> StatusReadings {
    let isUp = entry?.link != nil
    let reason = book.troubles.min { $0.key.rawValue < $1.key.rawValue }?.value
    let isSilent = entry?.fixAt.map { now.since($0) >= Self.gpsSilence } ?? true
    let gps: StatusReadings.GPS =
      switch isSilent ? nil : entry?.fix {
      case _ where !engine.account.mayLocate: .notAllowed
      case .good: .good
      case .weak: .weak
      case .some(.none): .searching
      case nil: entry?.saysNoGPS == true ? .absent : .silent
      }
    let link: StatusReadings.Link =
      if isUp { entry?.versionTrouble.map { .notUnderstood($0) } ?? .up } else {
        reason.map { .closed($0) } ?? .down
      }
    var readings = StatusReadings(
      link: link, battery: entry?.battery,
      isBatteryLow: entry?.isBatteryLow ?? false, serviceTrouble: trouble, gps: gps,
      sinceLocated: entry?.locatedAt.map { now.since($0) })
    readings.hasNoBattery = entry?.hasNoBattery ?? false
    readings.damage = damage?.words
    readings.linkAge = entry?.heardAt.map { now.since($0) }
    readings.batteryAge = entry?.batteryAt.map { now.since($0) }
    readings.gpsAge = entry?.fixAt.map { now.since($0) }
    return readings
  }
}
