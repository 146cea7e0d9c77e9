import SignalProcessing

/// A part of a grid that holds one rep, from step to step.
struct Segment: Hashable {
  var start: Double
  var end: Double
  var length: Double { end - start }

  var halves: [Segment] {
    let middle = (start + end) / 2
    return [Segment(start: start, end: middle), Segment(start: middle, end: end)]
  }

  /// Returns the segment on a grid with another step.
  func onGrid(framesPerStep: Int, from own: Int) -> Segment {
    let scale = Double(own) / Double(framesPerStep)
    let offset = (scale - 1) / 2
    return Segment(start: start * scale + offset, end: end * scale + offset)
  }
}

/// A division of a window into a run of reps.
struct Segmentation {
  var framesPerStep: Int
  /// The reps, in order and without overlap.
  var segments: [Segment]
  /// Similarity of each rep to the others, −1 to 1.
  var similarities: [Float]
  /// Probability of each rep to be one; empty if unknown.
  var probabilities: [Double] = []
  /// Movements beside and between the reps that fall short of one.
  var partials: [Segment] = []
  /// Sum of squared similarity times duration in seconds.
  var score: Float
  /// Median length, in seconds.
  var period: Double

  /// - Parameter known: the similarities; nil (stored as 0) if not needed.
  init(framesPerStep: Int, segments: [Segment], similarities known: [Float]? = nil) {
    let similarities = known ?? Array(repeating: 0, count: segments.count)
    self.framesPerStep = framesPerStep
    self.segments = segments
    self.similarities = similarities
    let secondsPerStep = Double(framesPerStep) / FrontEnd.frameRateHz
    score = zip(segments, similarities).reduce(0) {
      let fit = max($1.1, 0)
      return $0 + fit * fit * Float($1.0.length * secondsPerStep)
    }
    period = median(segments) { $0.length } * secondsPerStep
  }

  var meanSimilarity: Float {
    similarities.isEmpty ? 0 : similarities.reduce(0, +) / Float(similarities.count)
  }

  /// Converts a step to seconds from the begin of the window.
  func seconds(_ step: Double) -> Double {
    PhaseGrid.frame(ofStep: step, framesPerStep: framesPerStep) / FrontEnd.frameRateHz
  }

  /// Returns the segmentation with only some of its segments.
  func keeping(_ indices: some Sequence<Int>) -> Segmentation {
    let indices = Array(indices)
    return Segmentation(
      framesPerStep: framesPerStep, segments: indices.map { segments[$0] },
      similarities: indices.map { similarities[$0] })
  }

  /// The partial reps as a segmentation of their own.
  var onlyPartials: Segmentation {
    Segmentation(framesPerStep: framesPerStep, segments: partials)
  }

  /// Returns the runs of segments without a long pause.
  func runs(configuration: DetectorConfiguration) -> [Range<Int>] {
    let gap = configuration.longestPause(period: period)
    return segments.runs { seconds($1.start) - seconds($0.end) <= gap }
  }
}

extension Array {
  /// Splits the array wherever an element does not continue the one before it.
  func runs(where continues: (_ one: Element, _ next: Element) -> Bool) -> [Range<Int>] {
    var runs: [Range<Int>] = []
    for i in indices {
      if let last = runs.last, continues(self[i - 1], self[i]) {
        runs[runs.count - 1] = last.lowerBound..<(i + 1)
      } else {
        runs.append(i..<(i + 1))
      }
    }
    return runs
  }
}
