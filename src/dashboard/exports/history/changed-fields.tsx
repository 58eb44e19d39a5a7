import { diffArrays } from 'diff'
import type { BatchExportChange, ChangedField } from '../../../contract/exports/batch-export-change.ts'
import { settingLabel, settingLabels } from '../../../contract/exports/setting-label.ts'
import { queryLines } from '../../format/query-lines.ts'
import { listedInWords, SettingValue } from './setting-value.tsx'

/** Lists the settings before and after a change. */
export function ChangedFields({ change }: { change: Pick<BatchExportChange, 'kind' | 'fields'> }) {
  return (
    <dl className="grid grid-cols-[7rem_minmax(0,1fr)] items-baseline sm:grid-cols-[9.5rem_minmax(0,1fr)] gap-x-4 gap-y-1 border-l-2 border-line pl-3">
      {change.fields
        .toSorted((one, other) => placeOf(one.field) - placeOf(other.field))
        .map((field) => (
          <div key={field.field} className="contents">
            <dt className="text-ink-3">{settingLabel(field.field)}</dt>
            <dd
              className={`min-w-0 wrap-anywhere ${field.field === 'hogql_query' ? 'max-sm:col-span-2' : ''}`}
            >
              <FieldChange change={field} isNew={change.kind !== 'updated'} />
            </dd>
          </div>
        ))}
    </dl>
  )
}

const places = Object.keys(settingLabels)

/** The place of a setting in the form; unknown ones come last. */
function placeOf(field: string): number {
  const place = places.indexOf(field.replace('destination.config.', ''))
  return place < 0 ? places.length : place
}

/** Shows a setting before and after a change, or line by line if it has several lines. */
function FieldChange({ change, isNew }: { change: ChangedField; isNew: boolean }) {
  const { field, before, after, secret } = change
  if (secret) return <span className="text-ink-2">{isNew ? 'set' : 'replaced'}, never shown</span>
  if (isNew) return <SettingValue field={field} value={after} />
  const lines = linesOf(field, before, after)
  if (lines) return <LineDiff lines={lines} />
  return (
    <>
      <del className="text-ink-2">
        <span className="sr-only">Before: </span>
        <SettingValue field={field} value={before} />
      </del>
      <span aria-hidden="true" className="px-1.5 text-ink-3">
        →
      </span>
      <ins className="no-underline">
        <span className="sr-only"> After: </span>
        <SettingValue field={field} value={after} />
      </ins>
    </>
  )
}

/** Returns the diff of a list or query; null for settings with a single value. */
function linesOf(field: string, before: unknown, after: unknown) {
  const isList = Array.isArray(before) || Array.isArray(after)
  return isList || field === 'hogql_query' ? lineDiff(linesIn(field, before), linesIn(field, after)) : null
}

function linesIn(field: string, value: unknown): string[] {
  if (Array.isArray(value)) return listedInWords(field, value)
  return typeof value === 'string' && value !== '' ? queryLines(value) : []
}

/** Returns the lines of both texts in order, removed lines before added ones. Ignores commas at the ends of lines. */
export function lineDiff(before: readonly string[], after: readonly string[]) {
  const changes = diffArrays([...before], [...after], {
    comparator: (one, other) => one.replace(/,$/, '') === other.replace(/,$/, ''),
  })
  return changes.flatMap(({ added, removed, value }) => {
    const kind = added ? 'added' : removed ? 'removed' : 'same'
    return value.map((text) => ({ kind, text }) as const)
  })
}

const kinds = {
  same: { sign: ' ', spoken: '', look: 'text-ink-2' },
  removed: { sign: '−', spoken: 'Removed: ', look: 'bg-fail/10 text-fail-ink' },
  added: { sign: '+', spoken: 'Added: ', look: 'bg-ok/12 text-ok-ink' },
} as const

function LineDiff({ lines }: { lines: ReturnType<typeof lineDiff> }) {
  return (
    <div className="rounded-md border border-line py-1">
      {lines.map(({ kind, text }, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- lines are identified by their position
        <div key={index} className={`flex font-mono text-xs leading-5 ${kinds[kind].look}`}>
          <span aria-hidden="true" className="w-5 shrink-0 text-center">
            {kinds[kind].sign}
          </span>
          <span className="sr-only">{kinds[kind].spoken}</span>
          <span className="min-w-0 pr-2 whitespace-pre-wrap wrap-anywhere">{text}</span>
        </div>
      ))}
    </div>
  )
}
