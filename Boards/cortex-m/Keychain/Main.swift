import CortexM
import Firmware
import FobBase

@c(runKeychain)
public func runKeychain() {
  var board = KeychainBoard()
  let keychain = KeychainMemory.boot(&board)
  while true {
    let wake = keychain.pointee.poll(&board)
    Watchdog.serve()
    sleep(until: wake, transmitting: keychain.pointee.wantsToTransmit, &board)
  }
}

/// Until there is something to do. Interrupts are masked between the question and the sleep, from
/// which one that is pending wakes all the same.
private func sleep(until wake: Instant, transmitting: Bool, _ board: inout KeychainBoard) {
  while true {
    disable_interrupts()
    let hasWork =
      !LinkPort.received.isEmpty || GPSPort.count > 0 || Button.hasEdge
      || (transmitting && LinkPort.takesMore) || SystemClock.now() >= wake
    if !hasWork { wait_for_interrupt() }
    enable_interrupts()
    if hasWork { return }
    if !transmitting { board.tidyStore(before: wake) }
  }
}
