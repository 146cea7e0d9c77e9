import MotionFrames

/// The segmental Viterbi search for one template in an incoming signal.
///
/// The recursion of ``SegmentSearch`` needs only earlier columns, so each column is computed once and kept,
/// and an update costs only its new frames. This permits a finer grid in time: columns are a fifth of a step
/// apart, while the compared points of a rep stay a whole step apart. Columns a whole step apart form a row.
/// A column depends only on its own row and on the column just before it, whose best cumulative score it
/// inherits.
package struct LiveSearch: Sendable, Codable {
  /// Maximum number of columns per step.
  private static let finestRows = 5
  /// Maximum duration held, in lengths of a rep.
  private static let capacityInReps = 4.0
  private static let margin = RunningSums.margin

  /// Time of the first frame, in seconds.
  package let start: Double
  private let space: ComponentSpace
  private let templates: StretchedTemplates
  private let search: SegmentSearch
  private let framesPerColumn: Int
  private let rows: Int
  /// Capacity of a row, in columns.
  private let capacity: Int
  private let rowStride: Int
  /// Best cumulative score per row, then running sums, one entry ahead, of the squared length and of each
  /// component. A leading margin covers reps that start before column 0.
  private var tables: [Float]
  /// The signal at each column, row by row.
  private var steps: [SIMD4<Float>]
  /// Length of the rep that ends at each column, in steps; 0 for none.
  private var lengths: [UInt8] = []
  /// The newest frames, as components; the next column is their mean.
  private var newest: [SIMD4<Float>] = []
  /// Number of frames appended.
  package private(set) var frameCount = 0

  private var framesPerStep: Int { rows * framesPerColumn }

  /// Returns nil if the typical length or energy is unusable.
  ///
  /// - Parameter start: Time of the first frame, in seconds.
  package init?(
    _ rep: TypicalRep, in space: ComponentSpace, start: Double,
    configuration: TemplateSearchConfiguration
  ) {
    guard rep.frames > 1, rep.frames < 1e4, rep.energy > 0 else { return nil }
    self.start = start
    self.space = space
    search = SegmentSearch(
      typicalEnergy: rep.energy, offset: configuration.rewardOffset,
      floor: configuration.energyFloor * rep.energy)
    let step = PhaseGrid.framesPerStep(
      forPeriod: rep.frames, stepsPerRep: configuration.segmentationResolution.stepsPerRep)
    framesPerColumn = (step + Self.finestRows - 1) / Self.finestRows
    rows = max(1, (step + framesPerColumn / 2) / framesPerColumn)
    let typical = rep.frames / Double(rows * framesPerColumn)
    let lengths = RepLengths(typical: typical, ratio: configuration.repLengthRatio)
    guard lengths.longest < 255 else { return nil }
    templates = StretchedTemplates(rep.template, lengths: lengths, isBounding: false)
    capacity = Int((Self.capacityInReps * typical).rounded(.up)) + 1
    rowStride = capacity + 1 + Self.margin
    tables = Array(repeating: 0, count: 6 * rows * rowStride)
    for row in 0..<rows {
      for i in 0..<Self.margin { tables[row * rowStride + i] = -.infinity }
    }
    steps = Array(repeating: SIMD4(), count: rows * capacity)
  }

  /// Returns true if this many more frames fit.
  package func hasRoom(for count: Int) -> Bool {
    (frameCount + count) / framesPerColumn < rows * capacity
  }

  /// Appends consecutive frames; does nothing if they do not all fit.
  package mutating func append(_ frames: some Collection<MotionFrame>) {
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

  /// The best run of reps so far, in frames from the first.
  package var reps: [Segment] {
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
          // One table per component, after that of the squares.
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
