import Glibc
import SerialIO
import Storage

extension Failure {
  /// Runs `body`; what the targets below throw becomes a failure with its exit code.
  static func mapped<T>(_ body: () throws -> T) throws(Failure) -> T {
    do {
      return try body()
    } catch let failure as Failure {
      throw failure
    } catch let failure as IOFailure {
      throw Failure(failure)
    } catch let failure as StorageFailure {
      throw Failure(
        .cannotOpen,
        "\(failure); name another folder with --state, or make room and permission there")
    } catch {
      throw Failure(.ioError, "\(error)")
    }
  }

  init(_ failure: IOFailure) {
    self.init(Self.status(of: failure), "\(failure)\(Self.channel(of: failure))")
  }

  private static func status(of failure: IOFailure) -> ExitStatus {
    switch failure.errno {
    case ETIMEDOUT: .timedOut
    case ECONNREFUSED, ECONNRESET: .unreachable
    case EIO, EPIPE, ENOSPC: .ioError
    default: .cannotOpen
    }
  }

  private static func channel(of failure: IOFailure) -> String {
    switch failure.errno {
    case EADDRINUSE: "; another fob runs there, choose another --control"
    case EWOULDBLOCK: "; stop it, or name another folder with --state"
    default: ""
    }
  }
}
