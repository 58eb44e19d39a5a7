import { offsetLinks } from '../../http/page-links.ts'
import { pageOfRecordings } from '../../recordings/filter/filter-page.ts'
import { withPatterns } from '../../recordings/filter/filter-patterns.ts'
import type { Handler } from '../handler.ts'
import { showRecordings } from './show-recording.ts'

export const listSessionRecordings: Handler<'listSessionRecordings'> = async ({
  services,
  project,
  query,
  link,
}) => {
  const { count, isEstimate, hasNext, recordings } = await withPatterns(() =>
    pageOfRecordings(services, project.id, query),
  )
  return {
    count,
    // An estimated count does not show whether there is another page.
    ...offsetLinks(link, query, hasNext ? Infinity : 0),
    results: await showRecordings(services, project.id, recordings),
    has_next: hasNext,
    count_is_estimate: isEstimate,
  }
}
