import { allowsScope, missingScope } from '../../contract/scopes.ts'

/** Returns why a key may not change anything about alerts; null if it may. */
export function writeReason(scopes: readonly string[]): string | null {
  return allowsScope(scopes, 'batch_export:write') ? null : missingScope('batch_export:write')
}
