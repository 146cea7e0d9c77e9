import ChunkStream
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOWebSocket

/// Sends a person's events after a given number over a WebSocket, each as a JSON text.
final class LiveHandler: ChannelInboundHandler {
  typealias InboundIn = WebSocketFrame
  typealias OutboundOut = WebSocketFrame

  private enum State {
    /// Reads kept events, while new ones are queued.
    case catchingUp(waiting: [ChunkStream.Event])
    case following
    case closing
  }

  private let service: IngestService
  private let person: String
  /// Number of the last event that the client has; nil to start with new events.
  private let after: Int64?
  private let readers: NIOThreadPool
  private var state = State.catchingUp(waiting: [])
  private var lastNumber: Int64 = 0
  private var unsentBytes = 0
  private var subscription: Int?
  private var heartbeat: RepeatedTask?
  private var isAnswering = true

  init(service: IngestService, person: String, after: Int64?, readers: NIOThreadPool) {
    self.service = service
    self.person = person
    self.after = after
    self.readers = readers
  }

  private static let heartbeatSeconds: Int64 = 30

  func handlerAdded(context: ChannelHandlerContext) {
    let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    let loop = context.eventLoop
    subscription = service.hub.subscribe(
      person, limit: service.configuration.limits.liveConnectionsPerPerson
    ) { events in
      loop.execute {
        let (handler, context) = bound.value
        handler.receive(events, context)
      }
    }
    guard subscription != nil else {
      return close(.policyViolation, "too many live connections of one person", context)
    }
    heartbeat = loop.scheduleRepeatedTask(
      initialDelay: .seconds(Self.heartbeatSeconds), delay: .seconds(Self.heartbeatSeconds)
    ) { _ in
      let (handler, context) = bound.value
      handler.beat(context)
    }
    if let after {
      lastNumber = after
      catchUp(context)
    } else {
      state = .following
    }
  }

  func handlerRemoved(context: ChannelHandlerContext) { end() }

  func channelInactive(context: ChannelHandlerContext) {
    end()
    context.fireChannelInactive()
  }

  private func end() {
    state = .closing
    heartbeat?.cancel()
    if let subscription { service.hub.unsubscribe(subscription, of: person) }
    subscription = nil
  }

  // MARK: - Events

  private func catchUp(_ context: ChannelHandlerContext) {
    let stream = service.shards.stream(of: person)
    let (person, number) = (person, lastNumber)
    let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    readers.runIfActive(eventLoop: context.eventLoop) {
      try stream.events(after: number, of: person)
    }.whenComplete { result in
      let (handler, context) = bound.value
      guard case .catchingUp = handler.state else { return }
      guard let page = try? result.get() else {
        return handler.close(.unexpectedServerError, "the events cannot be read", context)
      }
      handler.send(page.events, context) {
        if let next = page.next {
          handler.lastNumber = next
          return handler.catchUp(context)
        }
        guard case .catchingUp(let waiting) = handler.state else { return }
        handler.state = .following
        handler.send(waiting, context)
      }
    }
  }

  private func receive(_ events: [ChunkStream.Event], _ context: ChannelHandlerContext) {
    switch state {
    case .catchingUp(var waiting):
      waiting += events
      state = .catchingUp(waiting: waiting)
      let bytes = waiting.reduce(0) { $0 + $1.json.utf8.count }
      if bytes > service.configuration.limits.liveBytes { closeSlow(context) }
    case .following: send(events, context)
    case .closing: break
    }
  }

  /// Sends events.
  ///
  /// - Parameter then: Called when they have been sent.
  private func send(
    _ events: [ChunkStream.Event], _ context: ChannelHandlerContext, then: @escaping () -> Void = {}
  ) {
    let new = events.filter { $0.number > lastNumber }
    guard let last = new.last else { return then() }
    lastNumber = last.number
    let bytes = new.reduce(0) { $0 + $1.json.utf8.count }
    unsentBytes += bytes
    // A page of kept events may exceed the limit; it is sent before the next one is read.
    if case .following = state, unsentBytes > service.configuration.limits.liveBytes {
      return closeSlow(context)
    }
    let sent = context.eventLoop.makePromise(of: Void.self)
    for event in new {
      let data = context.channel.allocator.buffer(string: event.json)
      context.write(
        wrapOutboundOut(WebSocketFrame(fin: true, opcode: .text, data: data)),
        promise: event.number == last.number ? sent : nil)
    }
    context.flush()
    let bound = NIOLoopBound((self, then), eventLoop: context.eventLoop)
    sent.futureResult.whenSuccess {
      let (handler, then) = bound.value
      handler.unsentBytes -= bytes
      then()
    }
  }

  private func closeSlow(_ context: ChannelHandlerContext) {
    close(.unknown(1013), "events were not read in time", context)
  }

  // MARK: - The connection

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    var frame = unwrapInboundIn(data)
    isAnswering = true
    switch frame.opcode {
    case .ping:
      context.writeAndFlush(
        wrapOutboundOut(WebSocketFrame(fin: true, opcode: .pong, data: frame.unmaskedData)),
        promise: nil)
    case .connectionClose:
      if case .closing = state {
        context.close(promise: nil)
      } else {
        let code = frame.unmaskedData.getSlice(
          at: frame.unmaskedData.readerIndex, length: min(2, frame.length))
        end()
        frame = WebSocketFrame(
          fin: true, opcode: .connectionClose,
          data: code ?? context.channel.allocator.buffer(capacity: 0))
        let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
        context.writeAndFlush(wrapOutboundOut(frame)).whenComplete { _ in
          bound.value.close(promise: nil)
        }
      }
    // Messages of clients are ignored.
    case .text, .binary, .continuation, .pong: break
    default: break
    }
  }

  private func beat(_ context: ChannelHandlerContext) {
    guard isAnswering else { return context.close(promise: nil) }
    isAnswering = false
    context.writeAndFlush(
      wrapOutboundOut(
        WebSocketFrame(
          fin: true, opcode: .ping, data: context.channel.allocator.buffer(capacity: 0))),
      promise: nil)
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if event is ChannelShouldQuiesceEvent { return close(.goingAway, "the server ends", context) }
    context.fireUserInboundEventTriggered(event)
  }

  private static let secondsOfClosing: Int64 = 2

  private func close(
    _ code: WebSocketErrorCode, _ reason: String, _ context: ChannelHandlerContext
  ) {
    end()
    var data = context.channel.allocator.buffer(capacity: 64)
    data.write(webSocketErrorCode: code)
    data.writeString(reason)
    context.writeAndFlush(
      wrapOutboundOut(WebSocketFrame(fin: true, opcode: .connectionClose, data: data)), promise: nil
    )
    let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
    context.eventLoop.scheduleTask(in: .seconds(Self.secondsOfClosing)) {
      bound.value.close(promise: nil)
    }
  }
}
