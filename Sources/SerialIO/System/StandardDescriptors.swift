import Glibc

/// Input, output and errors, which may be closed when a process starts.
public enum StandardDescriptors {
  /// Leads those that are closed to /dev/null: else the first file that is opened would get what is
  /// printed.
  public static func fill() {
    for number in STDIN_FILENO...STDERR_FILENO where fcntl(number, F_GETFD) == -1 {
      // The lowest number that is free.
      _ = open("/dev/null", O_RDWR)
    }
  }
}
