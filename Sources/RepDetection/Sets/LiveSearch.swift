/// The segmental Viterbi search for one template in a signal that is still coming in.
///
/// The recursion of ``SegmentSearch`` needs nothing but what came before, so each new column is
/// computed once and kept, and a look at the signal costs no more than what is new in it. That
/// leaves room for a finer grid in time: columns are a fifth of a step apart, while the points of
/// a rep that are compared stay a whole step apart. Columns a whole step apart make a row; all that a
/// column needs lies in its own row, except the column just before it, from which it takes over
/// what the best run of reps up to then is worth.
struct LiveSearch: Sendable, Codable {
  /// Columns to a step at most.
  private static let finestRows = 5
  /// Seconds that it holds at most, in lengths of a rep.
  private static let capacityInReps = 4.0
  private static let margin = RunningSums.margin

  /// Time of the first frame, s.
  let start: Double
  private let space: ComponentSpace
  private let templates: StretchedTemplates
  private let search: SegmentSearch
  private let framesPerColumn: Int
  private let rows: Int
  /// Columns that a row has room for.
  private let capacity: Int
  private let rowStride: Int
  /// Of each row, behind a margin for begins before the first column: what the best run of reps is
  /// worth; then running sums, one entry ahead, of the squared length and of each component.
  private var tables: [Float]
  /// The signal at each column, row by row.
  private var steps: [SIMD4<Float>]
  /// Of each column, in order: how many steps the rep has that ends there, 0 for none.
  private var lengths: [UInt8] = []
  /// The newest frames, in components, of which the next column takes the mean.
  private var newest: [SIMD4<Float>] = []
  /// Frames that were taken in.
  private(set) var frameCount = 0

  private var framesPerStep: Int { rows * framesPerColumn }

  /// Nil where the typical length is none.
  ///
  /// - Parameter start: time of the first frame to come, s.
  init?(
    _ usual: UsualRep, in space: ComponentSpace, start: Double, configuration: DetectorConfiguration
  ) {
    guard usual.frames > 1, usual.frames < 1e4, usual.energy > 0 else { return nil }
    self.start = start
    self.space = space
    search = SegmentSearch(
      typicalEnergy: usual.energy, offset: configuration.rewardOffset,
      floor: configuration.energyFloor * usual.energy)
    let step = PhaseGrid.framesPerStep(
      forPeriod: usual.frames, stepsPerRep: configuration.segmentationResolution.stepsPerRep)
    framesPerColumn = (step + Self.finestRows - 1) / Self.finestRows
    rows = max(1, (step + framesPerColumn / 2) / framesPerColumn)
    let typical = usual.frames / Double(rows * framesPerColumn)
    let lengths = RepLengths(typical: typical, ratio: configuration.repLengthRatio)
    guard lengths.longest < 255 else { return nil }
    templates = StretchedTemplates(usual.template, lengths: lengths, isBounding: false)
    capacity = Int((Self.capacityInReps * typical).rounded(.up)) + 1
    rowStride = capacity + 1 + Self.margin
    tables = Array(repeating: 0, count: 6 * rows * rowStride)
    for row in 0..<rows {
      for i in 0..<Self.margin { tables[row * rowStride + i] = -.infinity }
    }
    steps = Array(repeating: SIMD4(), count: rows * capacity)
  }

  /// Whether there is room for so many more frames.
  func hasRoom(for count: Int) -> Bool {
    (frameCount + count) / framesPerColumn < rows * capacity
  }

  /// Takes in the frames that follow on those before; nothing where there is no room for all.
  mutating func append(_ frames: some Collection<MotionFrame>) {
    guard !frames.isEmpty, hasRoom(for: frames.count) else { return }
    for frame in frames {
      newest.append(space.leading(frame))
      frameCount += 1
      guard newest.count >= framesPerStep, (frameCount - framesPerStep) % framesPerColumn == 0
      else { continue }
      let mean =
        newest.suffix(framesPerStep).reduce(SIMD4<Float>(), +) / Float(framesPerStep)
      appendColumn(mean)
      newest.removeFirst(newest.count - framesPerStep + 1)
    }
  }

  /// The best run of reps in what came so far, in frames from the first.
  var reps: [Segment] {
    var found: [Segment] = []
    let middle = Double(framesPerStep - 1) / 2
    var column = lengths.count - 1
    while column > 0 {
      let length = Int(lengths[column]) * rows
      if length > 0 {
        found.append(
          Segment(
            start: Double((column - length) * framesPerColumn) + middle,
            end: Double(column * framesPerColumn) + middle))
      }
      column -= max(length, 1)
    }
    return found.reversed()
  }

  private mutating func appendColumn(_ signal: SIMD4<Float>) {
    let column = lengths.count
    let row = column % rows
    let t = column / rows
    let before =
      column > 0
      ? tables[((column - 1) % rows) * rowStride + Self.margin + (column - 1) / rows] : 0
    let first = row * rowStride + Self.margin
    let stride = rows * rowStride
    let (search, templates) = (search, templates)
    steps[row * capacity + t] = signal
    let length = tables.withUnsafeMutableBufferPointer { tables in
      steps.withUnsafeBufferPointer { steps in
        var length = 0
        templates.withPointers { templates in
          guard let base = tables.baseAddress, let step = steps.baseAddress else { return }
          let values = base + first
          let squares = values + stride
          // Component by component, each a table behind that of the squares.
          let sums = squares + stride
          squares[t &+ 1] = squares[t] + (signal * signal).sum()
          for c in 0..<4 { sums[c * stride + t + 1] = sums[c * stride + t] + signal[c] }
          let best = search.best(
            endingAt: t, longest: t, otherwise: before,
            in: SegmentSearch.Tables(
              values: values, squares: squares, sums: sums, sumStride: stride,
              steps: step + row * capacity, stride: 1),
            templates: templates
          ) { _ in nil }
          values[t] = best.value
          length = best.length
        }
        return length
      }
    }
    lengths.append(UInt8(truncatingIfNeeded: length))
  }
}
