import FobBase

/// Requests of people: each is answered once, and "durable" means that the disk has it.
extension HostWitness {
  mutating func asked(_ number: UInt64, _ userRequest: UserRequest, at now: Instant) {
    var request = RequestRecord.Request(
      number: number, userRequest: userRequest, askedAt: now, order: order,
      incident: standing.incident,
      wasAcknowledged: current?.isAcknowledged ?? false, wasLocked: isLocked)
    if case .trigger(let device, _, let incident) = userRequest {
      request.isOwed = triggered(incident, by: device, at: now)
    }
    checkIns.asked(userRequest, at: now)
    messages.asked(userRequest)
    exercises.asked(userRequest, at: now)
    reviews.asked(userRequest, number)
    requests.ask(request)
    if case .acknowledge = userRequest {
      isEverAcknowledged = true
      if standing.state.isTold { change(standing.incident) { $0.acknowledge(true) } }
    }
  }

  mutating func answered(
    _ number: UInt64, isRefused: Bool, isDurable: Bool, at now: Instant,
    _ violationLog: inout ViolationLog
  ) {
    let (request, isDoubled) = requests.answer(number)
    if isDoubled {
      violationLog.accuse(
        .answerDoubled, at: now, "host \(index + 1) answered request \(number), which nobody awaits"
      )
    }
    guard let request else { return }
    defer {
      answeredOfCompanion(
        request, isRefused: isRefused, isDurable: isDurable, at: now, &violationLog)
    }
    guard !isRefused else {
      checkIns.refused(request.userRequest, at: now)
      if request.isOwed { accuseTrigger(at: now, &violationLog) }
      if case .acknowledge = request.userRequest, !request.wasAcknowledged,
        records[request.incident] != nil
      {
        change(request.incident) { $0.acknowledge(false) }
      }
      return
    }
    if request.userRequest == .erase, isDurable { isErased = true }
    guard isDurable, !isOnDisk(request) else { return }
    violationLog.accuse(
      .answerBeforeCommit, at: now,
      "host \(index + 1) says that \(request.userRequest.text) is durable, and its disk does not"
        + " have it"
    )
  }

  /// Whether the disk has the result, as far as a row shows it.
  private func isOnDisk(_ request: RequestRecord.Request) -> Bool {
    switch request.userRequest {
    case .erase: return disk.account?.exists == false
    case let change where change.changesAccount: return disk.accountOrder > request.order
    // What was asked for before it and has waited for the disk is gone, too.
    case .saveAnswer where disk.account?.exists == false,
      .complete where disk.account?.exists == false:
      return true
    case .addSeries, .editSeries, .removeSeries: return checkIns.seriesOrder > request.order
    case .fillSlot, .emptySlot: return messages.slotOrder > request.order
    case .saveAnswer(let review, let step, let text, _):
      return reviews.isOnDisk(review, step, text)
    case .complete(let name):
      return checkIns.wasEverRestored(name) || checkIns.rows[name]?.state == .completed
    case .trigger(_, _, let incident): return !request.isOwed || disk.rows[incident] != nil
    default: break
    }
    // No incident was current when it was asked, so the one that it acted on is unknown.
    guard request.incident != 0 else { return true }
    let row = disk.rows[request.incident]
    switch request.userRequest {
    case .disarm, .cancel, .endUnowned:
      return row?.state == .emergencyEnded || row?.state == .noEmergency
    case .resume: return row?.state == .noEmergency
    // Who has it in hand already changes nothing. A press in the same commit undoes it.
    case .acknowledge(let contact):
      guard let row else { return false }
      return row.acknowledgedBy.contains(contact) || row.order > request.order
    default: return true
    }
  }

  func accuseTrigger(at now: Instant, _ violationLog: inout ViolationLog) {
    violationLog.accuse(
      .triggerIgnored, at: now, "host \(index + 1) has opened nothing by a trigger that it owes")
  }
}

extension UserRequest {
  /// It makes another account row.
  var changesAccount: Bool {
    switch self {
    case .logIn, .logOut, .protect, .unprotect, .claim, .disconnect, .addContact, .removeContact,
      .erase:
      true
    default: false
    }
  }
}
