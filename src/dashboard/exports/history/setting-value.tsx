import type { ReactNode } from 'react'
import { ShortTime } from '../../ui/time.tsx'
import { queryLines } from '../../format/query-lines.ts'
import { settingInWords } from './setting-words.ts'

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
  if (Array.isArray(value) && value.length > 0) return <EventNames names={value.map(String)} />
  const text = Array.isArray(value) ? null : settingInWords(field, value)
  if (text === null) return <span className="text-ink-3">{none}</span>
  if (times.includes(field)) return <ShortTime time={text} />
  if (field === 'hogql_query') return <QueryText query={text} />
  return literal.test(field) ? <code className="wrap-anywhere">{text}</code> : text
}

function EventNames({ names }: { names: readonly string[] }) {
  return (
    <ul className="flex flex-wrap gap-x-3">
      {names.map((name) => (
        <li key={name}>
          <code className="wrap-anywhere">{name}</code>
        </li>
      ))}
    </ul>
  )
}

function QueryText({ query }: { query: string }) {
  return <pre className="whitespace-pre-wrap wrap-anywhere">{queryLines(query).join('\n')}</pre>
}
