/// The group of muscles that an exercise trains.
public enum MuscleGroup: String, Sendable, Hashable, CaseIterable, Codable {
  case chest, back, shoulders, biceps, triceps, arms, legs, core, glutes, forearms, calves
  case fullBody, cardio

  package var names: [String] {
    switch self {
    case .chest: ["chest", "peito", "peitoral", "peitorais"]
    case .back: ["back", "costas", "dorsal", "dorsais"]
    case .shoulders: ["shoulders", "shoulder", "ombros", "ombro", "deltoides"]
    case .biceps: ["biceps", "bíceps"]
    case .triceps: ["triceps", "tríceps"]
    case .arms: ["arms", "arm", "braços", "braço"]
    case .legs: ["legs", "leg", "pernas", "perna", "quadríceps", "coxa"]
    case .core: ["core", "abs", "abdômen", "abdominal", "abdominais"]
    case .glutes: ["glutes", "glúteos", "glúteo"]
    case .forearms: ["forearms", "forearm", "antebraços", "antebraço"]
    case .calves: ["calves", "calf", "panturrilhas", "panturrilha"]
    case .fullBody: ["full body", "fullBody", "corpo inteiro", "corpo todo"]
    case .cardio: ["cardio", "aeróbico"]
    }
  }
}
