/// A value on the heap with copy-on-write. Keeps large states small.
@propertyWrapper
struct Boxed<Value: Sendable>: @unchecked Sendable {
  private final class Storage {
    var value: Value

    init(_ value: Value) {
      self.value = value
    }
  }

  private var storage: Storage

  init(wrappedValue: Value) {
    storage = Storage(wrappedValue)
  }

  // Inlined, because calling a coroutine allocates.
  var wrappedValue: Value {
    @inline(__always) _read { yield storage.value }
    @inline(__always) _modify {
      if !isKnownUniquelyReferenced(&storage) { storage = Storage(storage.value) }
      yield &storage.value
    }
  }
}
