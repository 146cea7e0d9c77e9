/// Stops the fuzzer with a finding if the condition is false.
func check(_ condition: Bool, _ message: @autoclosure () -> String) {
  if !condition { fatalError(message()) }
}
