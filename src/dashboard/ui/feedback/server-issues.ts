import { ApiProblem } from '../../api/problem.ts'
import { fieldMessage } from './field-message.ts'

export type FieldIssues<Name extends string> = {
  fields: { name: Name; message: string }[]
  /** What belongs to no field of the form. */
  rest: string[]
}

/**
 * Sorts what the service refused onto a form's fields, in the order of `names`: a path that leads into a field (an item of
 * a list, say) belongs to that field, any other path to none.
 */
export function issuesByField<Name extends string>(error: Error, names: readonly Name[]): FieldIssues<Name> {
  if (!(error instanceof ApiProblem)) return { fields: [], rest: [error.message] }
  const own = { path: error.attr?.split('__') ?? [], message: error.message }
  const issues = error.issues.length > 0 ? error.issues : [own]
  const sorted: FieldIssues<Name> = { fields: [], rest: [] }
  for (const { path, message } of issues) {
    const dotted = path.join('.')
    const name = names.find((candidate) => dotted === candidate || dotted.startsWith(`${candidate}.`))
    if (name) sorted.fields.push({ name, message: fieldMessage(message) })
    else sorted.rest.push(message)
  }
  sorted.fields.sort((one, other) => names.indexOf(one.name) - names.indexOf(other.name))
  return sorted
}
