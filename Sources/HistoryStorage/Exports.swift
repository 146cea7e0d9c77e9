// Rows contain dates. FoundationEssentials keeps Foundation's tables out of the native library.
#if canImport(FoundationEssentials)
  @_exported import FoundationEssentials
#else
  @_exported import Foundation
#endif
