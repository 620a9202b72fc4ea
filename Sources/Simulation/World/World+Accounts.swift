import AlertCore
import FobBase
import Judge
import WireProtocol

/// Hosts that are accounts of one process: whose each keychain is, and the core that its line
/// reaches, as `CoreProcess` and `LineOwner` have it.
extension World {
  /// The hosts that share a host's process, in order: all of them, or it alone.
  func together(with host: SimulatedHost) -> [SimulatedHost] { isShared ? hosts : [host] }

  /// The core that has a line.
  func owner(
    of line: Int, _ run: HostRun, _ host: SimulatedHost
  ) -> (run: HostRun, host: SimulatedHost) {
    guard isShared else { return (run, host) }
    let owner = hosts[run.process.lines[line].account]
    return owner.run.map { ($0, owner) } ?? (run, host)
  }

  /// Hands an input of a line to the core of the account whose keychain speaks.
  func pass(_ input: CoreInput, from line: Int, of process: ProcessRun) {
    if case .linkUp(_, let hello) = input { pass(line, to: hello, of: process) }
    var account = process.account(for: input, from: line)
    sabotage?.passes(input, to: &account, of: hosts)
    give(input, to: account, of: process)
  }

  /// - Parameter performing: whose effects are being performed.
  private func pass(
    _ line: Int, to hello: Hello, of process: ProcessRun, performing: HostRun? = nil
  ) {
    guard let before = process.pass(line, to: hello), before != process.lines[line].account
    else { return }
    let gone = CoreInput.linkDown(
      LinkID(rawValue: line), reason: "its keychain is not this account's now")
    give(gone, to: before, of: process, performing: performing)
  }

  private func give(
    _ input: CoreInput, to account: Int, of process: ProcessRun, performing: HostRun? = nil
  ) {
    let host = hosts[account]
    guard let run = host.run, run.process === process else { return }
    if run === performing { return run.later.append(input) }
    take(input, run, host)
    arm(run, host)
  }

  /// The keychains whose events entries of the log tell.
  func devices(in log: [AuditEvent]) -> Set<DeviceID> {
    Set(log.filter { $0.event != nil }.compactMap { $0.device.flatMap { DeviceID(text: $0) } })
  }

  /// Keychains that an account has got or given up are found from now on. Lines whose keychain is
  /// another account's now are handed over.
  func learnDevices(_ run: HostRun, _ host: SimulatedHost) {
    let process = run.process
    let changed = process.owners.learn(
      run.core.account, of: AccountNumber(index: host.account))
    tellOthersEvents(of: changed, process, performing: run)
    for line in process.lines.indices {
      guard let hello = process.lines[line].hello, changed.contains(hello.deviceID) else {
        continue
      }
      let before = process.lines[line].account
      pass(line, to: hello, of: process, performing: run)
      let account = process.lines[line].account
      guard account != before else { continue }
      let up = CoreInput.linkUp(LinkID(rawValue: line), hello)
      give(up, to: account, of: process, performing: run)
    }
  }

  /// Keychains that were given up are the first account's, which learns what others have of them.
  func tellOthersEvents(
    of devices: some Sequence<DeviceID>, _ process: ProcessRun, performing: HostRun? = nil
  ) {
    for device in devices.sorted(by: { $0.rawValue < $1.rawValue })
    where process.owners[device] == nil {
      let heard = hosts[0].heardByOthers(from: [device.text])
      give(.heardElsewhere(heard), to: 0, of: process, performing: performing)
    }
  }
}
