import Motion
import MotionFrames
import MotionSynthesis
import Testing

@testable import SignalProcessing
@testable import TemplateSearch

/// The search in an incoming signal, compared with the search in a whole window.
struct LiveSearchTests {
  /// A signal, and the template to search for.
  private struct Material {
    var frames: [MotionFrame]
    var space: ComponentSpace
    var usual: TypicalRep
    let configuration = TemplateSearchConfiguration()

    /// - Parameter framesPerStep: Frames per step of the grid on which the template is learned.
    init(seconds: Double, framesPerStep: Int) throws {
      let options = SynthesisOptions(
        seed: 11, exercise: .curl, sets: 1, reps: 8, rate: .constant(50))
      let made = try RecordingSynthesizer(options).make()
      let truth = try #require(made.truth.first)
      var front = FrontEnd()
      var timed: [TimedFrame] = []
      let samples = made.recording.samples
      front.append(samples, rows: 0..<samples.count, phase: nil, into: &timed)
      front.finish(into: &timed)
      let store = FrameStore(timed)
      let rows = try #require(store.rows(from: truth.start - 2, to: truth.start - 2 + seconds))
      frames = store.frames(rows)
      space = ComponentSpace(
        ChannelStatistics(frames[...]), configuration.amplitudes)
      let grid = PhaseGrid(
        space.project(frames[...]), framesPerStep: framesPerStep)
      let origin = store.times[rows.lowerBound]
      let reps = truth.reps.prefix(3).map {
        Segment(
          start: PhaseGrid.step(
            ofFrame: ($0.start - origin) * FrontEnd.frameRateHz, framesPerStep: framesPerStep),
          end: PhaseGrid.step(
            ofFrame: ($0.end - origin) * FrontEnd.frameRateHz, framesPerStep: framesPerStep))
      }
      let shapes = RepShapes(of: reps, on: grid, phases: 16)
      usual = TypicalRep(of: reps, shapes, framesPerStep: framesPerStep)
    }

    func search() -> LiveSearch? {
      LiveSearch(usual, in: space, start: 0, configuration: configuration)
    }
  }

  /// The best run depends neither on chunks nor on earlier searches.
  @Test func doesNotDependOnChunks() throws {
    let material = try Material(seconds: 8, framesPerStep: 6)
    var whole = try #require(material.search())
    whole.append(material.frames[...])
    var byFrames = try #require(material.search())
    var checks: Set<Int> = []
    for frame in material.frames.indices {
      byFrames.append(material.frames[frame...frame])
      checks.insert(byFrames.reps.count)
    }
    #expect(whole.reps.count >= 2)
    #expect(byFrames.reps == whole.reps)
    #expect(checks.contains(1))
  }

  /// The live search, on a finer grid, finds as many reps as the search of the whole window on a grid with
  /// the same begin, and their boundaries differ by at most a step.
  @Test func findsTheRepsOfTheWindowSearch() throws {
    let material = try Material(seconds: 8, framesPerStep: 1)
    var live = try #require(material.search())
    live.append(material.frames[...])
    let q = PhaseGrid.framesPerStep(
      forPeriod: material.usual.frames,
      stepsPerRep: material.configuration.segmentationResolution.stepsPerRep)
    let fitter = TemplateFitter(
      grid: PhaseGrid(
        material.space.project(material.frames[...]), framesPerStep: q),
      resolution: material.configuration.segmentationResolution,
      configuration: material.configuration)
    let segments = fitter.search(
      TypicalRep(
        framesPerStep: q, template: material.usual.template,
        length: material.usual.frames / Double(q), energy: material.usual.energy))
    let found = live.reps
    try #require(segments.count >= 2)
    #expect(found.count == segments.count)
    for (one, other) in zip(found, segments) {
      let middle = Double(q - 1) / 2
      #expect((one.start - other.start * Double(q) - middle).magnitude <= Double(q))
      #expect((one.end - other.end * Double(q) - middle).magnitude <= Double(q))
    }
  }

  /// Frames beyond the capacity are not appended.
  @Test func capacityIsFourReps() throws {
    let material = try Material(seconds: 11, framesPerStep: 6)
    var search = try #require(material.search())
    let second = material.frames[0..<25]
    while search.hasRoom(for: second.count) { search.append(second) }
    let count = search.frameCount
    search.append(second)
    #expect(search.frameCount == count)
    #expect(Double(count + second.count) >= 4 * material.usual.frames)
  }

  @Test func unusableLengthGivesNoSearch() throws {
    var material = try Material(seconds: 11, framesPerStep: 6)
    material.usual = TypicalRep(
      framesPerStep: 6, template: material.usual.template, length: .nan, energy: 1)
    #expect(material.search() == nil)
  }
}
