/// What runs of reps are searched for in: memory that the searches of one window use one after the
/// other. Nothing in it outlives a search.
final class SearchMemory {
  private var values: [Float] = []
  private var choices: [Int32] = []
  /// The template of the newest search in all its lengths.
  private var templates: StretchedTemplates?

  /// Addresses, valid within ``withPointers(steps:_:)``.
  struct Pointers {
    /// Of each step, what the best run of reps up to there is worth, and before the first a margin,
    /// so that four begins at a time may be looked at.
    let values: UnsafeMutablePointer<Float>
    /// Of each step, the length of the rep that ends there; 0 for none.
    let choices: UnsafeMutablePointer<Int32>
  }

  /// Runs `body` on room for a search of so many steps.
  func withPointers(steps: Int, _ body: (Pointers) -> Void) {
    let margin = RunningSums.margin
    values.resize(to: steps + margin, filler: 0)
    choices.resize(to: steps, filler: 0)
    values.withUnsafeMutableBufferPointer { values in
      choices.withUnsafeMutableBufferPointer { choices in
        guard let value = values.baseAddress, let choice = choices.baseAddress else { return }
        body(Pointers(values: value + margin, choices: choice))
      }
    }
  }

  /// A template in all its lengths, valid until the next one.
  func stretched(_ template: [SIMD4<Float>], lengths: RepLengths) -> StretchedTemplates {
    // Taken out while it is filled, so that its memory is its own.
    guard var known = templates else {
      let first = StretchedTemplates(template, lengths: lengths)
      templates = first
      return first
    }
    templates = nil
    known.stretch(template, lengths: lengths)
    templates = known
    return known
  }
}
