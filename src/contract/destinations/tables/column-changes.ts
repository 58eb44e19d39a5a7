import { z } from 'zod'
import { PlainText } from '../../plain-text.ts'

/** Most changes of a destination. */
const changesMax = 500
/** Most bytes of a column's new name, which every database accepts. */
const nameBytesMax = 63

export const ColumnChange = z.strictObject({
  /** A column of the export. */
  name: PlainText.min(1).max(1000),
  /** Name of the column in the table; by default its own. */
  as: PlainText.min(1)
    .refine((name) => new TextEncoder().encode(name).length <= nameBytesMax, {
      error: `names of columns have at most ${nameBytesMax} bytes`,
    })
    .optional(),
  /** Writes HMAC-SHA-256 of the value's text instead, as hexadecimal digits, with a key that the project's exports share. */
  hash: z.boolean().optional(),
  /** Leaves the column out. */
  omit: z.boolean().optional(),
})
export type ColumnChange = z.infer<typeof ColumnChange>

/** How the columns of a table differ from those of the export; the others are written as they are. */
export const ColumnChanges = z
  .array(ColumnChange)
  .max(changesMax)
  .check(({ value, issues }) => {
    const refuse = (index: number, message: string) =>
      issues.push({ code: 'custom', path: [index], input: value, message })
    for (const [index, { name, as, hash, omit }] of value.entries()) {
      if (value.findIndex((other) => other.name === name) < index)
        refuse(index, `the column "${name}" is listed twice`)
      if (omit && (as !== undefined || hash))
        refuse(index, `the column "${name}" is left out, so it has no other name and no hash`)
      if (as?.toLowerCase().startsWith('_spool_'))
        refuse(index, 'names that begin with “_spool_” are the service’s own')
    }
  })

/** Columns by which persons are merged: the newest row of each key stays, compared by the versions in this order. */
export const personMerge = {
  keys: ['team_id', 'distinct_id'],
  versions: ['person_distinct_id_version', 'person_version', 'person_id'],
} as const
const mergedNames: readonly string[] = [...personMerge.keys, ...personMerge.versions]

/** Whether a table keeps only the newest row of each person, which needs all columns of the merge. */
export function mergesPersons(model: string, names: readonly string[]): boolean {
  return model === 'persons' && mergedNames.every((name) => names.includes(name))
}

/** Returns why the columns of an export cannot be changed so, or null. */
export function columnChangeProblem(
  changes: readonly ColumnChange[],
  names: readonly string[],
  model: string,
): string | null {
  const unknown = changes.find(({ name }) => !names.includes(name))
  if (unknown) return `The export has no column "${unknown.name}".`
  const isMerged = mergesPersons(model, names)
  const merged = changes.find(
    (change) =>
      isMerged &&
      mergedNames.includes(change.name) &&
      (change.omit || change.hash || targetOf(change) !== change.name),
  )
  if (merged) return `Persons are merged by "${merged.name}": it cannot be left out, renamed or hashed.`
  const targets = names.flatMap(
    (name) => targetOf(changes.find((change) => change.name === name) ?? { name }) ?? [],
  )
  if (targets.length === 0) return 'All columns are left out: keep at least one.'
  // MySQL ignores the case of a column's name.
  const folded = targets.map((name) => name.toLowerCase())
  const twice = targets.find((_, index) => folded.indexOf(folded[index] ?? '') < index)
  return twice === undefined || changes.length === 0
    ? null
    : `Two columns would have the name "${twice}": give one of them another name.`
}

/** Returns the name of a changed column in the table; null if it is left out. */
export function targetOf({ name, as, omit }: ColumnChange): string | null {
  return omit ? null : (as ?? name)
}
