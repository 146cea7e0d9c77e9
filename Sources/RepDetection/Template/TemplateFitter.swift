import SignalProcessing

/// Cuts a stretch into reps that fit a template as well as possible, with rest between them: a
/// segmental Viterbi search (step 6; Ostendorf 1996 has the model, Lin and Kulić 2014 use it for
/// exercise).
///
/// At each step either nothing happens, for free, or a rep of one of about twenty lengths ends.
/// A rep earns `similarity·|similarity| − offset`, more if it is long and strong, less if its
/// length differs from the typical one. Instead of stretching every candidate to the template's
/// length, the template is stretched to each length once, which makes a fit one scalar product;
/// energies come from running sums. Reps of four lengths that end at the same step are looked at
/// together, and not fitted where even a perfect fit could not win.
struct TemplateFitter {
  let grid: PhaseGrid
  let resolution: ShapeResolution
  var rewardOffset: Float
  private let settings: Settings
  private let sums: RunningSums
  private let coarse: CoarseGrid
  private let memory: SearchMemory

  /// What of the configuration a search needs: few numbers, which cost nothing to copy.
  private struct Settings {
    var groups: Int
    var shortest: Double
    var longest: Double
    var penalty: Float
    var energyFloor: Float

    init(_ configuration: DetectorConfiguration) {
      groups = configuration.searchGroups
      shortest = configuration.shortestRepInPeriods
      longest = configuration.longestRepInPeriods
      penalty = configuration.durationPenalty
      energyFloor = configuration.energyFloor
    }
  }

  /// - Parameter memory: what is searched in.
  init(
    grid: PhaseGrid, resolution: ShapeResolution, configuration: DetectorConfiguration,
    memory: SearchMemory = SearchMemory()
  ) {
    self.memory = memory
    self.grid = grid
    self.resolution = resolution
    settings = Settings(configuration)
    rewardOffset = configuration.rewardOffset
    let kept = min(settings.groups, grid.groups)
    sums = RunningSums(grid, kept: kept)
    coarse = CoarseGrid(grid, kept: kept)
  }

  /// Refines a first guess: template from its segments, search, template anew.
  ///
  /// Cost of a pass: steps × lengths × 15 × groups multiply-adds of four lanes.
  func refine(_ guess: [Segment], passes: Int) -> Segmentation? {
    var segments = guess
    for _ in 0..<passes {
      let found = researched(segments)
      if found.isEmpty { return nil }
      if found == segments { break }
      segments = found
    }
    return measured(segments)
  }

  /// The best row of reps for the template of a row of reps; empty where there is none.
  func researched(_ segments: [Segment]) -> [Segment] {
    let shapes = RepShapes(of: segments, on: grid, phases: resolution.phases)
    guard shapes.count > 0 else { return [] }
    return search(
      template: shapes.template(), typicalLength: median(segments) { $0.length },
      typicalEnergy: median(shapes.energies))
  }

  /// A segmentation with its similarities.
  func measured(_ segments: [Segment]) -> Segmentation {
    let shapes = RepShapes(of: segments, on: grid, phases: resolution.phases)
    var result = Segmentation(
      framesPerStep: grid.framesPerStep, segments: segments, similarities: shapes.similarities())
    result.shapes = shapes
    return result
  }

  /// How alike segments are to a template.
  func similarities(of segments: [Segment], with template: [SIMD4<Float>]) -> [Float] {
    let shapes = RepShapes(of: segments, on: grid, phases: resolution.phases)
    return shapes.similarities(with: template)
  }

  /// The best row of reps for a template.
  ///
  /// - Parameters:
  ///   - template: phases × groups, unit length.
  ///   - typicalLength: of a rep, in steps.
  ///   - typicalEnergy: mean square of a rep about its own mean.
  func search(
    template: [SIMD4<Float>], typicalLength: Double, typicalEnergy: Float
  ) -> [Segment] {
    guard typicalLength > 0, typicalLength < 1e6 else { return [] }
    let shortest = max(2, Int(settings.shortest * typicalLength))
    let longest = max(shortest, Int((settings.longest * typicalLength).rounded(.up)))
    guard grid.stepCount > shortest, typicalEnergy > 0 else { return [] }
    let templates = memory.stretched(
      template, groups: grid.groups, kept: min(settings.groups, grid.groups),
      lengths: RepLengths(shortest...longest, typical: typicalLength, penalty: settings.penalty))
    let search = SegmentSearch(
      typicalEnergy: typicalEnergy, offset: rewardOffset,
      floor: settings.energyFloor * typicalEnergy)
    return search.run(on: grid, sums: sums, coarse: coarse, templates: templates, in: memory)
  }
}
