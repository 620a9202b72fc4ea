import Foundation

/// Full counts, or the small ones of every day: FOB_SOAK=1 asks for the full ones.
public enum Soak {
  public static let isOn = ProcessInfo.processInfo.environment["FOB_SOAK"] != nil
}
