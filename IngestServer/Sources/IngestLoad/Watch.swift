import NIOCore
import NIOHTTP1
import NIOPosix

/// The answers to all watches of an event loop.
struct Answers: Sendable {
  /// Delays between a chunk's due time and its acknowledgement, in seconds.
  var latencies: [Double] = []
  /// Number of requests by status; 0 for requests without a response.
  var statuses: [Int: Int] = [:]
  var problems: [String] = []
}

/// A simulated watch. A chunk becomes due every interval, and chunks are sent one after the other until
/// acknowledged. The end of the set follows.
final class Watch {
  private let number: Int
  private let settings: IngestLoad.Settings
  private let chunks: WatchChunks
  private let loop: any EventLoop
  private let finished: EventLoopPromise<Answers>
  private var answers = Answers()
  private var channel: (any Channel)?
  private var awaitsAnswer = false
  /// Index of the next chunk; one past the last is the end of the set.
  private var next = 0
  private let start: NIODeadline

  init(
    number: Int, settings: IngestLoad.Settings, chunks: WatchChunks, loop: any EventLoop,
    start: NIODeadline
  ) {
    self.number = number
    self.settings = settings
    self.chunks = chunks
    self.loop = loop
    self.start = start
    finished = loop.makePromise()
  }

  var result: EventLoopFuture<Answers> { finished.futureResult }

  /// Returns the due time of a chunk or an end. Ends follow all chunks, spread over a third of their time.
  private func due(_ index: Int) -> NIODeadline {
    let delay =
      index < settings.chunks
      ? Double(index) * settings.interval
      : Double(index + 1) * settings.interval
        + Double(settings.chunks) / 3 * settings.interval * Double(number)
        / Double(settings.watches)
    return start + .nanoseconds(Int64(delay * 1e9))
  }

  /// Sends the next chunk when it is due.
  func proceed() {
    guard next <= settings.chunks else { return finish() }
    let bound = NIOLoopBound(self, eventLoop: loop)
    loop.scheduleTask(deadline: due(next)) { bound.value.send() }
  }

  private func finish() {
    channel?.close(promise: nil)
    finished.succeed(answers)
  }

  private func send() {
    if let channel { return write(to: channel) }
    let bound = NIOLoopBound(self, eventLoop: loop)
    ClientBootstrap(group: loop)
      .connectTimeout(.seconds(5))
      .channelOption(.tcpOption(.tcp_nodelay), value: 1)
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHTTPClientHandlers()
          try channel.pipeline.syncOperations.addHandler(AnswerHandler(watch: bound.value))
        }
      }.connect(host: settings.host, port: settings.port).whenComplete { result in
        let watch = bound.value
        switch result {
        case .success(let channel):
          watch.channel = channel
          watch.write(to: channel)
        case .failure: watch.retry(after: .milliseconds(200))
        }
      }
  }

  private func write(to channel: any Channel) {
    awaitsAnswer = true
    let isEnd = next == settings.chunks
    let session = "load-\(number)"
    var headers: HTTPHeaders = [
      "host": settings.host, "authorization": "Bearer \(settings.tokenPrefix)\(number)",
      "content-type": "application/json",
    ]
    let body: [UInt8]
    if isEnd {
      body = Array(
        #"{"type":"endSet","sessionId":"\#(session)","setId":"set","timestamp":1.7e9}"#.utf8)
    } else {
      body = chunks.body(next, watch: number)
      headers.add(name: "x-session-id", value: session)
      headers.add(name: "x-set-id", value: "set")
      headers.add(name: "x-chunk-id", value: "\(next)")
      headers.add(name: "x-phase", value: "execution")
    }
    headers.add(name: "content-length", value: "\(body.count)")
    let head = HTTPRequestHead(
      version: .http1_1, method: .POST, uri: isEnd ? "/v1/messages" : "/v1/chunks",
      headers: headers)
    channel.write(HTTPClientRequestPart.head(head), promise: nil)
    channel.write(HTTPClientRequestPart.body(.byteBuffer(ByteBuffer(bytes: body))), promise: nil)
    channel.writeAndFlush(HTTPClientRequestPart.end(nil), promise: nil)
  }

  private func retry(after delay: TimeAmount) {
    let bound = NIOLoopBound(self, eventLoop: loop)
    loop.scheduleTask(in: delay) { bound.value.send() }
  }

  func receive(status: Int, body: String) {
    answers.statuses[status, default: 0] += 1
    awaitsAnswer = false
    switch status {
    case 200 where body.contains("\"event\":\"ack\""):
      if next < settings.chunks {
        let delay = NIODeadline.now() - due(next)
        answers.latencies.append(Double(delay.nanoseconds) / 1e9)
      }
      next += 1
      proceed()
    case 429, 503: retry(after: .seconds(1))
    default:
      answers.problems.append("watch \(number), chunk \(next): \(status) \(body.prefix(200))")
      finish()
    }
  }

  func lost(_ channel: any Channel) {
    guard self.channel === channel else { return }
    self.channel = nil
    guard awaitsAnswer else { return }
    awaitsAnswer = false
    answers.statuses[0, default: 0] += 1
    retry(after: .milliseconds(200))
  }
}

/// Collects responses.
private final class AnswerHandler: ChannelInboundHandler {
  typealias InboundIn = HTTPClientResponsePart

  private let watch: Watch
  private var status = 0
  private var body = ""

  init(watch: Watch) { self.watch = watch }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head): (status, body) = (Int(head.status.code), "")
    case .body(let buffer): body += String(buffer: buffer)
    case .end: watch.receive(status: status, body: body)
    }
  }

  func channelInactive(context: ChannelHandlerContext) { watch.lost(context.channel) }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.close(promise: nil)
  }
}
