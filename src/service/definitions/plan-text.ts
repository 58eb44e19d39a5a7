import type { ChangedField } from '../../contract/exports/batch-export-change.ts'
import type { AppliedExports, PlannedChange } from '../../contract/exports/export-definition.ts'

const signs: Partial<Record<PlannedChange['action'], string>> = { create: '+', update: '~', delete: '-' }
/** Longer values are on lines of their own. */
const inlineLengthMax = 60

/** Returns a plan, or what has been applied, as text for a terminal. */
export function planText({ applied, changes }: AppliedExports): string {
  const count = (action: PlannedChange['action']) =>
    changes.filter((change) => change.action === action).length
  const [create, update, remove] = [count('create'), count('update'), count('delete')]
  const unlisted = changes.filter(({ action }) => action === 'unlisted')
  const counts = applied
    ? `Applied: ${create} created, ${update} changed, ${remove} deleted`
    : `Plan: ${create} to create, ${update} to change, ${remove} to delete`
  return [
    ...changes.flatMap(linesOf),
    ...(unlisted.length > 0
      ? [
          `Not in the file, and kept (--prune deletes them): ${unlisted.map(({ name }) => safe(name)).join(', ')}`,
          '',
        ]
      : []),
    `${counts}, ${count('unchanged')} unchanged.`,
  ].join('\n')
}

function linesOf({ name, action, fields }: PlannedChange): string[] {
  const sign = signs[action]
  if (sign === undefined) return []
  const set = action === 'create' ? fields.filter(({ after, secret }) => secret || after !== null) : fields
  return [`${sign} ${safe(name)}`, ...set.flatMap((field) => fieldLines(field, action === 'create')), '']
}

function fieldLines({ field, before, after, secret }: ChangedField, isNew: boolean): string[] {
  if (secret) return [`    ${field}: ${isNew ? 'secret, not shown' : 'secret changed, not shown'}`]
  if (isNew) return [`    ${field}: ${valueText(after)}`]
  const [old, now] = [valueText(before), valueText(after)]
  if (old.length + now.length <= inlineLengthMax) return [`    ${field}: ${old} → ${now}`]
  return [`    ${field}:`, `      - ${old}`, `      + ${now}`]
}

function valueText(value: unknown): string {
  if (value === null || value === undefined) return 'none'
  if (typeof value === 'string' && value !== '' && !/^\s|\s$|[\n"]/.test(value)) return safe(value)
  return safe(JSON.stringify(value))
}

/** Escapes characters on which a terminal could act. */
function safe(text: string): string {
  return text.replaceAll(
    /[\p{Cc}\p{Cf}\u2028\u2029]/gu,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  )
}
