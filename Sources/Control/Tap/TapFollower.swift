/// Hears chunks within the process, and how many were lost behind them because there were too many.
package typealias TapFollower = @Sendable ([TapChunk], _ lost: Int) -> Void
