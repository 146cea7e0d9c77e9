import ArgumentParser
import Foundation
import NIOCore
import NIOPosix

@main
struct IngestLoad: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ingest-load",
    abstract: "Sends chunks as many watches do, and says how soon they were acknowledged.")

  struct Settings: Sendable {
    var host: String
    var port: Int
    var interval: Double
    var watches: Int
    var chunks: Int
    var tokenPrefix: String
  }

  @Option var host = "127.0.0.1"
  @Option var port: Int
  @Option(help: "Watches; the token of watch N is the prefix and N.") var watches = 2000
  @Option var tokenPrefix = "watch-"
  @Option(help: "Seconds between the chunks of a watch.") var interval = 2.0
  @Option(help: "Chunks of each watch.") var chunks = 30

  func run() async throws {
    let settings = Settings(
      host: host, port: port, interval: interval, watches: watches, chunks: chunks,
      tokenPrefix: tokenPrefix)
    let made = WatchChunks(count: chunks)
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    let begin = NIODeadline.now() + .milliseconds(500)
    var results: [EventLoopFuture<Answers>] = []
    for number in 0..<watches {
      let loop = group.next()
      // Spreads the watches over the interval.
      let offset = Double(number) * interval / Double(watches)
      let start = begin + .nanoseconds(Int64(offset * 1e9))
      results.append(
        loop.flatSubmit {
          let watch = Watch(
            number: number, settings: settings, chunks: made, loop: loop, start: start)
          watch.proceed()
          return watch.result
        })
    }
    let all = try await EventLoopFuture.whenAllSucceed(results, on: group.next()).get()
    let latencies = all.flatMap(\.latencies).sorted()
    func quantile(_ share: Double) -> Double {
      latencies.isEmpty
        ? 0 : latencies[min(latencies.count - 1, Int(share * Double(latencies.count)))]
    }
    var statuses: [String: Int] = [:]
    for one in all { statuses.merge(one.statuses.map { ("\($0)", $1) }, uniquingKeysWith: +) }
    let problems = all.flatMap(\.problems)
    let within = latencies.count { $0 <= 0.25 }
    let report: [String: Any] = [
      "watches": watches, "chunks": watches * chunks, "acknowledged": latencies.count,
      "within250ms": Double(within) / Double(max(1, latencies.count)), "median": quantile(0.5),
      "p99": quantile(0.99), "max": latencies.last ?? 0, "statuses": statuses,
      "problems": Array(problems.prefix(5)),
    ]
    let json = try JSONSerialization.data(withJSONObject: report, options: .sortedKeys)
    print(String(decoding: json, as: UTF8.self))
    if latencies.count < watches * chunks || !problems.isEmpty { throw ExitCode.failure }
    try await group.shutdownGracefully()
  }
}
