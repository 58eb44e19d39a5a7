import { projectOf } from '../../auth/access.ts'
import { suggestValues } from '../../recordings/filter/suggest-values.ts'
import type { Handler } from '../handler.ts'

export const filterValues: Handler<'filterValues'> = async ({ services, projects, query }) => {
  const project = projectOf(projects)
  return { results: await suggestValues(services.warehouse, project.id, query) }
}
