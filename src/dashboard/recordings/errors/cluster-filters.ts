import type { ErrorCluster } from '../../../contract/session-recording.ts'
import { consoleFilter } from '../list/filter-facets.ts'
import { inAddress } from '../../queries/recordings-search.ts'

/** What stands in a pattern for what differs. */
const folded = /#|<(?:host|email|value)>/

/** The list's filters for the recordings with an error: the longest part that all its messages have in common. */
export function clusterFilters({ pattern, sample }: Pick<ErrorCluster, 'pattern' | 'sample'>) {
  const parts = pattern.split(folded).map((part) => part.trim())
  const longest = parts.reduce((one, other) => (other.length > one.length ? other : one), '')
  return inAddress({ console_log_filters: [consoleFilter('message', longest || sample)] })
}
