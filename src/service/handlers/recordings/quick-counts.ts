import { notFound } from '../../problems/api-error.ts'
import { withPatterns } from '../../recordings/filter/filter-patterns.ts'
import { countQuickFilters } from '../../recordings/filter/quick-counts.ts'
import type { Handler } from '../handler.ts'

export const quickCounts: Handler<'quickCounts'> = async ({ services, projects, query }) => {
  const [project] = projects
  if (!project) throw notFound('Project not found.')
  return await withPatterns(() => countQuickFilters(services, project.id, query))
}
