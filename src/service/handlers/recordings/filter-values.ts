import { suggestValues } from '../../recordings/filter/suggest-values.ts'
import type { Handler } from '../handler.ts'

export const filterValues: Handler<'filterValues'> = async ({ services, project, query }) => {
  return { results: await suggestValues(services.warehouse, project.id, query) }
}
