import { withPatterns } from '../../recordings/filter/filter-patterns.ts'
import { countQuickFilters } from '../../recordings/filter/quick-counts.ts'
import type { Handler } from '../handler.ts'

export const quickCounts: Handler<'quickCounts'> = async ({ services, project, query }) => {
  return await withPatterns(() => countQuickFilters(services, project.id, query))
}
