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
    sleep(until: wake, transmitting: keychain.pointee.wantsToTransmit)
  }
}

/// Until there is something to do. Interrupts are masked between the question and the sleep, from
/// which one that is pending wakes all the same.
private func sleep(until wake: Instant, transmitting: Bool) {
  while true {
    disable_interrupts()
    let hasWork =
      !LinkPort.received.isEmpty || !GPSPort.received.isEmpty || Button.hasEdge
      || (transmitting && LinkPort.takesMore) || SystemClock.now() >= wake
    if !hasWork { wait_for_interrupt() }
    enable_interrupts()
    if hasWork { return }
  }
}
