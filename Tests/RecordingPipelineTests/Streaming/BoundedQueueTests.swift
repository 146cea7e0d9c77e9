import Foundation
import Testing

@testable import RecordingPipeline

@Suite struct BoundedQueueTests {
  private struct Failure: Error {}

  private func inBackground(_ body: @escaping @Sendable () -> Void) -> DispatchSemaphore {
    let done = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      body()
      done.signal()
    }
    return done
  }

  @Test func keepsOrderAndBlocksAFastProducer() throws {
    let queue = BoundedQueue<Int>(capacity: 2)
    let done = inBackground {
      for number in 0..<1000 { #expect(queue.push(number)) }
      queue.close()
    }
    var taken: [Int] = []
    while let number = try queue.pop() {
      #expect(queue.count <= 2)
      taken.append(number)
    }
    #expect(taken == Array(0..<1000))
    done.wait()
  }

  @Test func slowConsumersTakeMoreAtOnce() throws {
    let queue = BoundedQueue<Int>(capacity: 10) { $0 }
    for weight in [4, 3, 2, 20] { #expect(queue.push(weight)) }
    let pushing = inBackground { #expect(queue.push(1)) }
    #expect(try queue.pop(upTo: 8) == [4, 3])
    #expect(try queue.pop(upTo: 8) == [2])
    #expect(queue.count == 1, "what is added waits while it is too heavy")
    #expect(try queue.pop(upTo: 8) == [20], "one is taken however heavy it is")
    pushing.wait()
    queue.close()
    #expect(try queue.pop(upTo: 8) == [1])
    #expect(try queue.pop(upTo: 8) == [])
  }

  @Test func failureFollowsPendingElements() throws {
    let queue = BoundedQueue<Int>(capacity: 2)
    #expect(queue.push(1))
    queue.fail(Failure())
    #expect(try queue.pop() == 1)
    #expect(throws: Failure.self) { try queue.pop() }
  }

  @Test func cancellationReleasesWaitingThreads() throws {
    // Mostly, the other thread is waiting by then.
    for _ in 0..<20 {
      let full = BoundedQueue<Int>(capacity: 1)
      #expect(full.push(1))
      let pushing = inBackground { #expect(!full.push(2)) }
      let empty = BoundedQueue<Int>(capacity: 1)
      let popping = inBackground { #expect((try? empty.pop()) == .some(nil)) }
      Thread.sleep(forTimeInterval: 0.002)
      full.cancel()
      empty.cancel()
      pushing.wait()
      popping.wait()
    }
  }
}
