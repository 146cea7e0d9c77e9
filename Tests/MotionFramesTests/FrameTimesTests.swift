import Testing

@testable import MotionFrames

@Suite struct FrameTimesTests {
  /// Segments with breaks between them, whose first frames are removed, have the same times and rows as a
  /// plain list of times.
  @Test func timesAreThoseOfTheirClocks() throws {
    var times = FrameTimes()
    var list: [Double] = []
    let segments: [(start: Double, frames: Range<Int>)] = [
      (3.7, -25..<40), (3.7, 60..<75), (12.02, 0..<1), (30, 0..<200),
    ]
    for segment in segments {
      let clock = FrameTimes.Clock(start: segment.start)
      for frame in segment.frames {
        times.append(frame: frame, of: clock)
        list.append(clock.time(ofFrame: frame))
      }
    }
    for forgotten in [0, 1, 39, 10, 6, 30, 100] {
      times.removeFirst(forgotten)
      list.removeFirst(forgotten)
      #expect(Array(times) == list)
      for from in list.indices { #expect(times.values(from..<list.count) == Array(list[from...])) }
      let middles = zip(list, list.dropFirst()).map { ($0 + $1) / 2 }
      let asked = list + middles + [-.infinity, 0, .infinity]
      for from in asked.indices where from % 7 == 0 {
        for to in asked.indices where to % 5 == 0 {
          let rows = list.indices.filter { asked[from] <= list[$0] && list[$0] <= asked[to] }
          #expect(
            times.rows(from: asked[from], to: asked[to]).map(Array.init) ?? [] == rows)
        }
      }
    }
  }

  @Test func emptyTimesHaveNoRows() {
    #expect(FrameTimes().rows(from: 0, to: 1) == nil)
    #expect(FrameTimes().last == nil)
  }
}
