/// What was learnt from a set, or is to be recognised in one: the template of a rep, a person's
/// way of doing an exercise.
///
/// A small table with a name, and texts and numbers about it. The format does not say what
/// ``kind``, names and values mean: whoever computes patterns does, so that new kinds of them
/// need no new version of the format.
public struct TimelinePattern: Sendable, Hashable {
  /// A column of the table: a channel or feature over the phases of a rep, say.
  public struct Column: Sendable, Hashable {
    public var name: String
    public var values: [Float]

    public init(name: String, values: [Float]) {
      self.name = name
      self.values = values
    }
  }

  /// What the pattern is of, as `set`.
  public var kind: String
  /// Texts by name, as `exerciseId`.
  public var texts: [String: String]
  /// Numbers by name, with the unit in it where there is one, as `periodSeconds`.
  public var figures: [String: Double]
  /// At most 255 columns of the same length, no two of the same name.
  public var columns: [Column]

  public init(
    kind: String, texts: [String: String] = [:], figures: [String: Double] = [:],
    columns: [Column] = []
  ) {
    self.kind = kind
    self.texts = texts
    self.figures = figures
    self.columns = columns
  }

  /// The column of a name.
  public subscript(_ name: String) -> [Float]? {
    columns.first { $0.name == name }?.values
  }
}
