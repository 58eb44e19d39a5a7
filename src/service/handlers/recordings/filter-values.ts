import { notFound } from '../../problems/api-error.ts'
import { suggestValues } from '../../recordings/filter/suggest-values.ts'
import type { Handler } from '../handler.ts'

export const filterValues: Handler<'filterValues'> = async ({ services, projects, query }) => {
  const [project] = projects
  if (!project) throw notFound('Project not found.')
  return { results: await suggestValues(services.warehouse, project.id, query) }
}
