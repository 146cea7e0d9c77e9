import MotionFrames
import SignalProcessing

/// A part of a grid that contains one rep, from step to step.
package struct Segment: Hashable {
  package var start: Double
  package var end: Double
  @inlinable package var length: Double { end - start }

  @inlinable
  package init(start: Double, end: Double) {
    self.start = start
    self.end = end
  }

  package var halves: [Segment] {
    let middle = (start + end) / 2
    return [Segment(start: start, end: middle), Segment(start: middle, end: end)]
  }

  /// Returns the segment on a grid with a different step.
  package func onGrid(framesPerStep: Int, from own: Int) -> Segment {
    let scale = Double(own) / Double(framesPerStep)
    let offset = (scale - 1) / 2
    return Segment(start: start * scale + offset, end: end * scale + offset)
  }
}

/// A division of a window into a run of reps.
package struct Segmentation {
  package var framesPerStep: Int
  /// The reps, in order and without overlap.
  package var segments: [Segment]
  /// Similarity of each rep to the others, −1 to 1.
  package var similarities: [Float]
  /// Probability that each segment is a rep; empty if unknown.
  package var probabilities: [Double] = []
  /// Movements beside and between the reps that fall short of a rep.
  package var partials: [Segment] = []
  /// Sum of squared similarity times duration in seconds.
  package var score: Float
  /// Median length, in seconds.
  package var period: Double

  /// - Parameter known: The similarities; nil (stored as 0) if not needed.
  package init(framesPerStep: Int, segments: [Segment], similarities known: [Float]? = nil) {
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

  package var meanSimilarity: Float {
    similarities.isEmpty ? 0 : similarities.reduce(0, +) / Float(similarities.count)
  }

  /// Converts a step to seconds from the begin of the window.
  package func seconds(_ step: Double) -> Double {
    PhaseGrid.frame(ofStep: step, framesPerStep: framesPerStep) / FrontEnd.frameRateHz
  }

  /// Returns the segmentation with only the given segments.
  package func keeping(_ indices: some Sequence<Int>) -> Segmentation {
    let indices = Array(indices)
    return Segmentation(
      framesPerStep: framesPerStep, segments: indices.map { segments[$0] },
      similarities: indices.map { similarities[$0] })
  }

  /// The partial reps as a segmentation of their own.
  package var onlyPartials: Segmentation {
    Segmentation(framesPerStep: framesPerStep, segments: partials)
  }

  /// Returns the runs of segments whose pauses are at most `longestPause`, in seconds.
  package func runs(longestPause: Double) -> [Range<Int>] {
    segments.runs { seconds($1.start) - seconds($0.end) <= longestPause }
  }
}

extension Array {
  /// Splits the array wherever an element does not continue the one before it.
  package func runs(where continues: (_ one: Element, _ next: Element) -> Bool) -> [Range<Int>] {
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
