import type { ReactNode } from 'react'
import { ColumnChanges } from '../../../contract/destinations/tables/column-changes.ts'
import { DestinationType } from '../../../contract/destinations/destination.ts'
import { Interval } from '../../../contract/interval-schema.ts'
import { ShortTime } from '../../ui/time.tsx'
import { queryLines } from '../../format/query-lines.ts'
import { columnChangeInWords } from '../values/column-change.ts'
import { destinationLabel } from '../../format/destination.ts'
import { everyInterval } from '../../format/interval.ts'

/** Settings shown as code. */
const literal = /^(?:model|destination\.config\.(?:bucket_name|region|prefix|endpoint_url|kms_key_id|path))$/
const times: readonly string[] = ['start_at', 'end_at', 'paused_until']

type SettingValueProps = {
  field: string
  value: unknown
  /** Shown if there is no value. */
  none?: ReactNode
}

/** Shows the value of one setting; `field` is its name in the API. */
export function SettingValue({ field, value, none = 'none' }: SettingValueProps) {
  if (Array.isArray(value) && value.length > 0)
    return (
      <ul className="flex flex-wrap gap-x-3">
        {listedInWords(field, value).map((name) => (
          <li key={name}>
            <code className="wrap-anywhere">{name}</code>
          </li>
        ))}
      </ul>
    )
  const text = Array.isArray(value) ? null : settingInWords(field, value)
  if (text === null) return <span className="text-ink-3">{none}</span>
  if (times.includes(field)) return <ShortTime time={text} />
  if (field === 'hogql_query')
    return <pre className="whitespace-pre-wrap wrap-anywhere">{queryLines(text).join('\n')}</pre>
  return literal.test(field) ? <code className="wrap-anywhere">{text}</code> : text
}

/** Describes the items of a setting that is a list. */
export function listedInWords(field: string, values: readonly unknown[]): string[] {
  const changes = field === 'destination.config.columns' && ColumnChanges.safeParse(values).data
  return changes ? changes.map(columnChangeInWords) : values.map(String)
}

/** Describes a setting's value; null for none. */
function settingInWords(field: string, value: unknown): string | null {
  if (value === null || value === undefined || value === '') return null
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  const name = field.replace('destination.config.', '')
  const interval = name === 'interval' && Interval.safeParse(value).data
  if (interval) return everyInterval(interval)
  const type = name === 'destination.type' && DestinationType.safeParse(value).data
  if (type) return destinationLabel(type)
  return name === 'max_file_size_mb' ? `${text} MB` : text
}
