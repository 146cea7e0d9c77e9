import ChunkStream
import Synchronization

/// Forwards events to the live connections of their person.
final class LiveHub: Sendable {
  private struct State {
    var next = 0
    var readers: [String: [Int: @Sendable ([ChunkStream.Event]) -> Void]] = [:]
  }

  private let state = Mutex(State())

  /// Number of live connections.
  var count: Int { state.withLock { $0.readers.values.reduce(0) { $0 + $1.count } } }

  /// Subscribes to a person's events.
  ///
  /// - Parameter read: Called on the shard's thread; must not block.
  /// - Returns: The id of the subscription; nil if the person has too many.
  func subscribe(
    _ person: String, limit: Int, read: @escaping @Sendable ([ChunkStream.Event]) -> Void
  ) -> Int? {
    state.withLock { state in
      guard state.readers[person.uppercased(), default: [:]].count < limit else { return nil }
      state.next += 1
      state.readers[person.uppercased(), default: [:]][state.next] = read
      return state.next
    }
  }

  func unsubscribe(_ id: Int, of person: String) {
    state.withLock { state in
      state.readers[person.uppercased()]?[id] = nil
      if state.readers[person.uppercased()]?.isEmpty == true {
        state.readers[person.uppercased()] = nil
      }
    }
  }

  func publish(_ events: [ChunkStream.Event]) {
    let people = Dictionary(grouping: events) { $0.person?.uppercased() ?? "" }
    for (person, events) in people where !person.isEmpty {
      let readers = state.withLock { $0.readers[person] }
      for read in (readers ?? [:]).values { read(events) }
    }
  }
}
