import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import { PrivacySettings } from '../../contract/privacy/privacy-settings.ts'
import {
  retentionFields,
  retentionKinds,
  type RetainedData,
  type Retention,
  type RetentionKind,
} from '../../contract/privacy/retention.ts'
import { useAccount } from '../account.ts'
import { bytes, count } from '../format/amount.ts'
import { endpointQuery, keepRowsOf } from '../queries/endpoint-query.ts'
import { useChangePrivacySettings } from '../queries/privacy.ts'
import { Button } from '../ui/controls/button.tsx'
import { TextField } from '../ui/controls/field.tsx'
import { Form } from '../ui/controls/form.tsx'
import { toast, toastFailure } from '../ui/feedback/toasts.ts'
import { DataTable, type Column } from '../ui/list/data-table.tsx'
import { Section } from '../ui/section.tsx'
import { TextLink } from '../ui/text-link.tsx'
import { RelativeTime, ShortTime } from '../ui/time.tsx'

const kindLabels: Record<RetentionKind, string> = { events: 'Events', runs: 'Runs', logs: 'Logs' }
const gigabyte = 1e9

type Field = (typeof retentionFields)[RetentionKind]['days' | 'bytes']
type Limits = Record<Field, number | null>
type Texts = Record<Field, string>

const fields = retentionKinds.flatMap((kind) => Object.values(retentionFields[kind]))
const isBytes = (field: Field) => field.endsWith('_bytes')

/** How long data is kept: limits, what the next sweep removes with them, and when the disk is full. */
export function RetentionSection({ settings, reason }: { settings: PrivacySettings; reason: string | null }) {
  const { projectId } = useAccount()
  const { mutate, isPending } = useChangePrivacySettings(projectId)
  const [texts, setTexts] = useState(() => textsOf(settings))
  const limits = limitsOf(texts)
  const errors = PrivacySettings.partial().safeParse(limits).error?.issues ?? []
  const errorOf = (field: Field) => errors.find(({ path }) => path[0] === field)?.message
  const isChanged = fields.some((field) => limits[field] !== settings[field])
  const tried = useDeferredValue(errors.length === 0 ? JSON.stringify(queryOf(limits)) : '{}')
  const params = { project_id: projectId }
  const input = { params, query: JSON.parse(tried) as Record<string, string> }
  const retention = useQuery({
    ...endpointQuery('getRetention', input),
    placeholderData: keepRowsOf(params),
  })
  const save = () => {
    if (errors.length > 0) return
    mutate(limits, {
      onSuccess: () => toast('The limits are saved. The next sweep applies them.'),
      onError: toastFailure('The limits could not be saved.'),
    })
  }
  return (
    <Section title="Retention" className="flex flex-col gap-4">
      <p className="max-w-160 text-ink-2">
        Each night at 2:00 UTC, a sweep removes what is older or larger than these limits, whole days at a
        time and the oldest first. An empty limit keeps everything. Nothing is removed that a running export
        has yet to export.
      </p>
      <Form className="flex flex-col gap-3" onSubmit={save}>
        <div className="grid max-w-160 grid-cols-2 gap-3">
          {fields.map((field) => (
            <TextField
              key={field}
              label={labelOf(field)}
              inputMode="decimal"
              placeholder="No limit"
              value={texts[field]}
              disabled={reason !== null}
              error={errorOf(field)}
              onChange={({ target: { value } }) => setTexts({ ...texts, [field]: value })}
            />
          ))}
        </div>
        {isChanged && (
          <div>
            <Button look="primary" type="submit" busy={isPending} reason={reason}>
              Save limits
            </Button>
          </div>
        )}
      </Form>
      <div className="max-w-200">
        <DataTable
          caption={
            isChanged ? 'With these limits, the next sweep would remove' : 'What the next sweep removes'
          }
          columns={columns}
          rows={retention.data?.data}
          rowKey={({ kind }) => kind}
          outdated={retention.isPlaceholderData}
          error={retention.error}
          onRetry={() => void retention.refetch()}
          empty={null}
        />
      </div>
      {retention.data && <Forecast retention={retention.data} />}
    </Section>
  )
}

const columns: Column<RetainedData>[] = [
  {
    header: 'Data',
    fills: true,
    cell: ({ kind, held_rows, held_by }) => (
      <>
        <span className="font-medium">{kindLabels[kind]}</span>
        {held_by && held_rows > 0 && (
          <p className="text-short-ink">
            {count(held_rows)} more are kept: since <ShortTime time={held_by.since} />,{' '}
            <TextLink to="/exports/$id" params={{ id: held_by.batch_export }}>
              {held_by.name}
            </TextLink>{' '}
            has windows to export.
          </p>
        )}
      </>
    ),
  },
  {
    header: 'Stored',
    end: true,
    cell: ({ rows, bytes: size }) => (
      <>
        {count(rows)} <span className="text-ink-3">≈ {bytes(size)}</span>
      </>
    ),
  },
  {
    header: 'Oldest',
    hiddenBelow: 'md',
    cell: ({ oldest }) => (oldest === null ? '–' : <ShortTime time={oldest} />),
  },
  { header: 'Added a day', end: true, hiddenBelow: 'sm', cell: ({ bytes_per_day: rate }) => bytes(rate) },
  {
    header: 'Next sweep removes',
    end: true,
    wraps: true,
    cell: ({ until, removed_rows, removed_bytes }) =>
      until === null ? (
        <span className="text-ink-3">nothing</span>
      ) : (
        <>
          {count(removed_rows)} <span className="text-ink-3">≈ {bytes(removed_bytes)}</span>
          <span className="block text-xs text-ink-3">
            before <ShortTime time={until} />
          </span>
        </>
      ),
  },
]

/** When the next sweep comes, what the last one removed, and when the disk is full. */
function Forecast({ retention }: { retention: Retention }) {
  const { disk, next_sweep_at, swept_at, swept, recording_days } = retention
  return (
    <ul aria-label="Forecast" className="flex max-w-200 flex-col gap-1 text-ink-2">
      <li>
        {next_sweep_at === null ? (
          'No sweep is planned, because there are no limits.'
        ) : (
          <>
            Next sweep: <ShortTime time={next_sweep_at} />.
          </>
        )}
        {swept && swept_at && (
          <>
            {' '}
            The last one, <RelativeTime time={swept_at} />, removed {count(swept.events)} events,{' '}
            {count(swept.runs)} runs and {count(swept.logs)} log entries.
          </>
        )}
      </li>
      {disk && (
        <li>
          {bytes(disk.free_bytes)} of {bytes(disk.total_bytes)} are free on the disk. All projects add about{' '}
          {bytes(disk.bytes_per_day)} a day
          {disk.full_at === null ? (
            ': it will not be full within ten years.'
          ) : (
            <>
              : it is full on <ShortTime time={disk.full_at} /> at this rate, if nothing is removed.
            </>
          )}
        </li>
      )}
      <li>
        Recordings that nobody keeps are deleted after {recording_days} days, in all projects. The audit log
        has a retention of its own.
      </li>
    </ul>
  )
}

function labelOf(field: Field): string {
  const kind = retentionKinds.find((each) => Object.values(retentionFields[each]).includes(field as never))
  return `${kindLabels[kind ?? 'events']}: ${isBytes(field) ? 'at most (GB)' : 'days'}`
}

function textsOf(settings: PrivacySettings): Texts {
  const text = (field: Field) => {
    const limit = settings[field]
    return [field, limit === null ? '' : String(isBytes(field) ? limit / gigabyte : limit)] as const
  }
  return Object.fromEntries(fields.map(text)) as Texts
}

/** Reads the limits; one that is not a number becomes NaN, which no limit can be. */
function limitsOf(texts: Texts): Limits {
  const limit = (field: Field) => {
    const text = texts[field].trim().replace(',', '.')
    if (text === '') return [field, null] as const
    return [field, isBytes(field) ? Math.round(Number(text) * gigabyte) : Number(text)] as const
  }
  return Object.fromEntries(fields.map(limit)) as Limits
}

function queryOf(limits: Limits): Record<string, string> {
  return Object.fromEntries(fields.map((field) => [field, String(limits[field] ?? '')]))
}
