import type { ErrorCluster } from '../../../contract/recordings/error-cluster.ts'
import { consoleFilter } from '../filter/filter-kinds.ts'
import { withoutDefaults } from '../../queries/recordings/recordings-search.ts'

/** Placeholders for the variable parts of a pattern. */
const placeholder = /#|<(?:host|email|value)>/

/** Returns the list filters that match recordings with an error: the longest text that all its messages share. */
export function errorFilters({ pattern, sample }: Pick<ErrorCluster, 'pattern' | 'sample'>) {
  const parts = pattern.split(placeholder).map((part) => part.trim())
  const longest = parts.reduce((one, other) => (other.length > one.length ? other : one), '')
  return withoutDefaults({ console_log_filters: [consoleFilter('message', longest || sample)] })
}
