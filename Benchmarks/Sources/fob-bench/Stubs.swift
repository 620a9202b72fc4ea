struct PressBenchmark { init(_ a: Arguments) throws {}; func run() throws {} }
struct TurnBenchmark { init(_ a: Arguments) throws {}; func run() throws {} }
struct BareReceiver { init(_ a: Arguments) throws {}; func run() throws {} }
struct BridgeReceiver { init(_ a: Arguments) throws {}; func run() throws {} }
