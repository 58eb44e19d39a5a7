import { ApiProblem } from '../../api/problem.ts'
import { fieldMessage } from './field-message.ts'

/**
 * Assigns the service's issues to a form's fields, in the order of `names`. A path inside a field, such as an item of a list,
 * belongs to that field.
 */
export function issuesByField<Name extends string>(error: Error, names: readonly Name[]) {
  const fields: { name: Name; message: string }[] = []
  /** Messages that belong to no field of the form. */
  const rest: string[] = []
  if (!(error instanceof ApiProblem)) return { fields, rest: [error.message] }
  const own = { path: error.attr?.split('__') ?? [], message: error.message }
  const issues = error.issues.length > 0 ? error.issues : [own]
  for (const { path, message } of issues) {
    const dotted = path.join('.')
    const name = names.find((candidate) => dotted === candidate || dotted.startsWith(`${candidate}.`))
    if (name) fields.push({ name, message: fieldMessage(message) })
    else rest.push(message)
  }
  fields.sort((one, other) => names.indexOf(one.name) - names.indexOf(other.name))
  return { fields, rest }
}
