import Logging
import NIOCore
import NIOHTTP1
import NIOWebSocket
import Synchronization

/// The memory budget for the request bodies of all connections.
final class BodyBudget: Sendable {
  private let used = Atomic(0)
  private let limit: Int

  init(limit: Int) { self.limit = limit }

  func take(_ bytes: Int) -> Bool {
    if used.add(bytes, ordering: .relaxed).newValue <= limit { return true }
    give(bytes)
    return false
  }

  func give(_ bytes: Int) { used.subtract(bytes, ordering: .relaxed) }
}

/// Receives the requests of one connection, one after the other, within limits of size and time.
final class HTTPHandler: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  private enum State {
    /// Waits for a request.
    case idle
    /// Receives the body, while the request's person is looked up.
    case receiving(Receiving)
    case responding
    /// The request was answered early. Some of the rest is read, so that the client receives the response.
    case discarding(answered: EventLoopFuture<Void>)
    case closed
  }

  private struct Receiving {
    var head: HTTPRequestHead
    var route: Route
    /// The person; nil until looked up.
    var person: String?
    var body: [UInt8] = []
    var hasEnded = false
  }

  private let service: IngestService
  private let budget: BodyBudget
  private let log: Logger
  private var state = State.idle
  private var timeout: Scheduled<Void>?
  private var began = NIODeadline.now()
  private var routeName = "other"
  private var bodyBytes = 0
  /// Length of the body according to the head; the maximum integer if not stated.
  private var bodyToCome = 0
  private var isKeptAlive = true

  private var limits: IngestConfiguration.Limits { service.configuration.limits }

  init(service: IngestService, budget: BodyBudget, log: Logger) {
    self.service = service
    self.budget = budget
    self.log = log
  }

  // MARK: - The connection

  func handlerAdded(context: ChannelHandlerContext) { beginWaiting(context) }

  func handlerRemoved(context: ChannelHandlerContext) { end() }

  func channelInactive(context: ChannelHandlerContext) {
    end()
    context.fireChannelInactive()
  }

  private func end() {
    timeout?.cancel()
    state = .closed
    releaseBody()
  }

  private func releaseBody() {
    budget.give(bodyBytes)
    bodyBytes = 0
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    // A refused upgrade gets the response of a normal request.
    if error is NIOWebSocketUpgradeError || error is HTTPServerUpgradeErrors { return }
    context.close(promise: nil)
  }

  private func beginWaiting(_ context: ChannelHandlerContext) {
    state = .idle
    limitTime(limits.idleSeconds, context) { $1.close(promise: nil) }
  }

  private func limitTime(
    _ seconds: Int, _ context: ChannelHandlerContext,
    _ body: @escaping (HTTPHandler, ChannelHandlerContext) -> Void
  ) {
    timeout?.cancel()
    let bound = NIOLoopBound((self, context, body), eventLoop: context.eventLoop)
    timeout = context.eventLoop.scheduleTask(in: .seconds(Int64(seconds))) {
      let (handler, context, body) = bound.value
      if case .closed = handler.state { return }
      body(handler, context)
    }
  }

  // MARK: - A request

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head): begin(head, context)
    case .body(let buffer): receive(buffer, context)
    case .end: endBody(context)
    }
  }

  private func begin(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
    began = .now()
    isKeptAlive = head.isKeepAlive
    bodyToCome = Self.bodyBytes(head)
    routeName = "other"
    let route: Route
    do {
      route = try Route(head)
    } catch {
      switch error {
      case .notFound: refuse(.failure(.notFound, "no such resource"), context)
      case .wrongMethod(let allowed):
        refuse(
          .failure(.methodNotAllowed, "\(allowed) was expected", headers: ["allow": allowed]),
          context)
      }
      return
    }
    routeName = route.name
    if bodyToCome != .max, bodyToCome > limits.bodyBytes { return refuseLongBody(context) }
    state = .receiving(Receiving(head: head, route: route, person: route.needsPerson ? nil : ""))
    limitTime(limits.requestSeconds, context) { handler, context in
      handler.refuse(.failure(.requestTimeout, "the body took too long"), context)
    }
    guard route.needsPerson else { return }
    let authorization = head.headers.first(name: "authorization")
    if let person = service.authenticator.knownPerson(authorization: authorization) {
      return admit(person, context)
    }
    let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    context.eventLoop.makeFutureWithTask { [service] in
      await service.authenticator.person(authorization: authorization)
    }.whenComplete { result in
      let (handler, context) = bound.value
      guard case .receiving = handler.state else { return }
      handler.admit((try? result.get()) ?? nil, context)
    }
  }

  private static func bodyBytes(_ head: HTTPRequestHead) -> Int {
    if head.headers.contains(name: "transfer-encoding") { return .max }
    return head.headers.first(name: "content-length").map { Int($0) ?? .max } ?? 0
  }

  private func admit(_ person: String?, _ context: ChannelHandlerContext) {
    guard case .receiving(var receiving) = state else { return }
    guard let person else {
      return refuse(
        .failure(
          .unauthorized, "a bearer token was expected",
          headers: ["www-authenticate": "Bearer"]), context)
    }
    if let refusal = service.refusal(of: person) {
      return refuse(refusal, context)
    }
    receiving.person = person
    state = .receiving(receiving)
    if !receiving.hasEnded,
      receiving.head.headers.first(name: "expect")?.lowercased() == "100-continue"
    {
      let head = HTTPResponseHead(version: receiving.head.version, status: .continue)
      context.writeAndFlush(wrapOutboundOut(.head(head)), promise: nil)
    }
    respondIfComplete(context)
  }

  private func receive(_ buffer: ByteBuffer, _ context: ChannelHandlerContext) {
    guard case .receiving(var receiving) = state else { return }
    guard bodyBytes + buffer.readableBytes <= limits.bodyBytes else {
      return refuseLongBody(context)
    }
    guard budget.take(buffer.readableBytes) else {
      return refuse(
        .tooBusy(.serviceUnavailable, "too many requests at once", after: 1), context)
    }
    bodyBytes += buffer.readableBytes
    // Keep a single reference, so that the body grows in place.
    state = .idle
    receiving.body.append(contentsOf: buffer.readableBytesView)
    state = .receiving(receiving)
  }

  private func endBody(_ context: ChannelHandlerContext) {
    switch state {
    case .receiving(var receiving):
      receiving.hasEnded = true
      state = .receiving(receiving)
      respondIfComplete(context)
    case .discarding(let answered): endDiscarding(answered, context)
    case .idle, .responding, .closed: break
    }
  }

  private func respondIfComplete(_ context: ChannelHandlerContext) {
    guard case .receiving(let receiving) = state, receiving.hasEnded,
      let person = receiving.person
    else { return }
    state = .responding
    timeout?.cancel()
    let request = IngestRequest(
      head: receiving.head, route: receiving.route, person: person, body: receiving.body)
    let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    context.eventLoop.makeFutureWithTask { [service] in
      await service.respond(to: request)
    }.whenSuccess { response in
      let (handler, context) = bound.value
      guard case .responding = handler.state else { return }
      handler.send(response, context)
    }
  }

  // MARK: - A response

  private func refuseLongBody(_ context: ChannelHandlerContext) {
    refuse(
      .failure(.payloadTooLarge, "a body has at most \(limits.bodyBytes) bytes"), context)
  }

  private static let secondsOfDiscarding = 2
  private static let bytesToDiscard = 1 << 16

  /// Answers before the request has ended. Closes the connection if much of the request may follow.
  private func refuse(_ response: IngestResponse, _ context: ChannelHandlerContext) {
    let hasEnded = if case .receiving(let receiving) = state { receiving.hasEnded } else { false }
    if !hasEnded, bodyToCome > Self.bytesToDiscard { isKeptAlive = false }
    let answered = write(response, context)
    state = .discarding(answered: answered)
    limitTime(Self.secondsOfDiscarding, context) { $1.close(promise: nil) }
    if hasEnded { endDiscarding(answered, context) }
  }

  private func endDiscarding(
    _ answered: EventLoopFuture<Void>, _ context: ChannelHandlerContext
  ) {
    guard !isKeptAlive else { return beginWaiting(context) }
    let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
    answered.whenComplete { _ in bound.value.close(promise: nil) }
  }

  private func send(_ response: IngestResponse, _ context: ChannelHandlerContext) {
    limitTime(limits.requestSeconds, context) { $1.close(promise: nil) }
    let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    write(response, context).whenComplete { result in
      let (handler, context) = bound.value
      guard case .responding = handler.state else { return }
      guard case .success = result, handler.isKeptAlive else { return context.close(promise: nil) }
      handler.beginWaiting(context)
    }
  }

  private func write(
    _ response: IngestResponse, _ context: ChannelHandlerContext
  ) -> EventLoopFuture<Void> {
    let seconds = Double((NIODeadline.now() - began).nanoseconds) / 1e9
    service.metrics.noteRequest(
      routeName, status: Int(response.status.code), bodyBytes: bodyBytes, seconds: seconds)
    log.info(
      "request",
      metadata: [
        "route": .string(routeName), "status": .stringConvertible(response.status.code),
        "bytes": .stringConvertible(bodyBytes), "seconds": .stringConvertible(seconds),
      ])
    releaseBody()
    var head = HTTPResponseHead(
      version: .http1_1, status: response.status, headers: response.headers)
    head.headers.add(name: "content-length", value: "\(response.body.utf8.count)")
    head.headers.add(name: "cache-control", value: "no-store")
    head.headers.add(name: "x-content-type-options", value: "nosniff")
    if !isKeptAlive { head.headers.add(name: "connection", value: "close") }
    context.write(wrapOutboundOut(.head(head)), promise: nil)
    let body = context.channel.allocator.buffer(string: response.body)
    context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil)
    return context.writeAndFlush(wrapOutboundOut(.end(nil)))
  }
}
