import ArgumentParser
import SerialIO
import Transport

/// What may be asked of the system so that a press waits less: each says at the start what it did.
struct RealTimeOptions: ParsableArguments {
  @Flag(
    help: """
      Run the readers' threads before all others (SCHED_FIFO). Needs LimitRTPRIO=40 of the \
      service, rtprio 40 in limits.d, or CAP_SYS_NICE.
      """)
  var realtime = false

  @Flag(
    help: """
      Lock all memory so nothing is swapped out (mlockall). Needs LimitMEMLOCK=infinity of the \
      service, memlock unlimited in limits.d, or CAP_IPC_LOCK.
      """)
  var lockMemory = false

  @Option(
    help: "Processor for the readers' threads alone, from 0 on; all else of fob runs on the others."
  )
  var cpu: Int?

  @Flag(
    help: """
      Make serial ports hand bytes on at once: the driver's low_latency, and 1 ms for the latency \
      timer of FTDI converters.
      """)
  var lowLatency = false

  /// Something is asked for.
  var isGiven: Bool { realtime || lockMemory || cpu != nil || lowLatency }

  func validate() throws {
    if let cpu, cpu < 0 { throw ValidationError("--cpu takes a processor's number, from 0 on") }
  }

  /// For lines of which none may be a serial port.
  func refuseLowLatency(_ line: String) throws {
    guard lowLatency else { return }
    throw ValidationError(
      "--low-latency is for serial ports: \(line) has no driver that keeps bytes back")
  }

  /// Asks the system for all of it; to be called before any thread is started that is to share it.
  /// - Parameter say: a line for each option, saying what is so now.
  /// - Throws: `Failure` with a hint for the first that the system refuses.
  func apply(_ say: (String) -> Void) throws(Failure) -> LineTuning {
    do throws(IOFailure) {
      var tuning = LineTuning(isLowLatency: lowLatency)
      if let cpu {
        let others = try Processors.leave(cpu)
        tuning.scheduling.processor = cpu
        say("readers on processor \(cpu), all else on \(Processors.text(others))")
      }
      if realtime {
        let priority = try RealTimePriority.permitted()
        tuning.scheduling.priority = priority
        say("readers by SCHED_FIFO at priority \(priority), below the kernel's interrupts at 50")
      }
      if lockMemory {
        let locked = try MemoryLock.take()
        say("memory: \(Self.megabytes(locked)) locked, and what is used later")
      }
      if lowLatency { say("serial ports are asked for low_latency as they are opened") }
      return tuning
    } catch {
      // A processor that is not there is a wrong command line; the rest is a right that lacks.
      throw Failure(error.path.hasPrefix("processor") ? .usage : .refused, "\(error)")
    }
  }

  static func megabytes(_ bytes: Int) -> String { "\((bytes + 500_000) / 1_000_000) MB" }
}
