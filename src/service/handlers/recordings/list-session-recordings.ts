import { offsetLinks } from '../../http/page-links.ts'
import { pageOfRecordings } from '../../recordings/filter/filter-page.ts'
import { withPatterns } from '../../recordings/filter/filter-patterns.ts'
import type { Handler } from '../handler.ts'
import { showById, showRecordings } from './show-recording.ts'
import { countQuickFilters } from '../../recordings/filter/quick-counts.ts'
import { invalidInput } from '../../problems/api-error.ts'
import { findMatchedMoments } from '../../recordings/filter/matched-moments.ts'
import { findRecordings } from '../../store/recordings/session-recordings.ts'
import { suggestValues } from '../../recordings/filter/suggest-values.ts'

export const listSessionRecordings: Handler<'listSessionRecordings'> = async (request) => {
  const { services, project, query, link } = request
  const { count, isEstimate, hasNext, ids } = await withPatterns(() =>
    pageOfRecordings(services, project.id, query),
  )
  return {
    count,
    // An estimated count does not show whether there is another page.
    ...offsetLinks(link, query, hasNext ? Infinity : 0),
    results: await showById(services, ids),
    has_next: hasNext,
    count_is_estimate: isEstimate,
  }
}

export const quickCounts: Handler<'quickCounts'> = async ({ services, project, query }) => {
  return await withPatterns(() => countQuickFilters(services, project.id, query))
}

/** Recordings in one request. */
const idsMax = 1000

export const matchedMoments: Handler<'matchedMoments'> = async ({ services, project, query }) => {
  const { session_ids: ids, ...filter } = query
  if (!ids || ids.length > idsMax)
    throw invalidInput(`Send the ids of the recordings, at most ${idsMax}.`, ['session_ids'])
  const rows = await findRecordings(services.store, project.id, ids)
  const shown = await showRecordings(services, rows)
  const moments = await findMatchedMoments(services, project.id, filter, { rows, shown })
  return { results: Object.fromEntries(moments) }
}

export const filterValues: Handler<'filterValues'> = async ({ services, project, query }) => {
  return { results: await suggestValues(services.warehouse, project.id, query) }
}
