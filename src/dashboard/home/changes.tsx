import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { HealthChange } from '../../contract/repair/project-health.ts'
import { Status } from '../ui/status.tsx'
import { TextLink } from '../ui/text-link.tsx'
import { RelativeTime } from '../ui/time.tsx'
import { count, counted } from '../format/amount.ts'
import { Section } from '../ui/section.tsx'
import type { Tone } from '../format/run-status.ts'

type ChangesProps = {
  changes: readonly HealthChange[]
  /** Number of changes that `changes` does not contain. */
  more: number
  since: number | null
}

/** What changed since the last visit, newest first, each with a link. `since`: milliseconds; null on the first visit. */
export function Changes({ changes, more, since }: ChangesProps) {
  return (
    <Section title="Since your last visit" aside={since !== null && <RelativeTime time={since} />}>
      {changes.length === 0 ? (
        <p className="text-ink-3">
          {since === null ? 'This is your first visit with this browser.' : 'Nothing changed.'}
        </p>
      ) : (
        <ul className="flex flex-col gap-1.5">
          {changes.map((change) => (
            <li key={JSON.stringify(change)} className="flex items-baseline gap-2">
              <Status tone={tones[change.kind]}>{null}</Status>
              <span className="min-w-0 flex-1 wrap-anywhere">
                <Words change={change} />
              </span>
              <span className="text-xs text-ink-3">
                <RelativeTime time={change.at} />
              </span>
            </li>
          ))}
          {more > 0 && (
            <li className="text-ink-3">
              and {count(more)} more: see <TextLink to="/settings/history">History</TextLink> and{' '}
              <TextLink to="/problems">Problems</TextLink>
            </li>
          )}
        </ul>
      )}
    </Section>
  )
}

const tones: Record<HealthChange['kind'], Tone> = {
  failed: 'failed',
  gaps: 'failed',
  error: 'failed',
  recordings: 'failed',
  paused: 'paused',
  unpaused: 'running',
  created: 'ok',
  deleted: 'quiet',
}

function Words({ change }: { change: HealthChange }) {
  const { kind, run, cluster, count: amount, text } = change
  switch (kind) {
    case 'failed':
      return (
        <>
          <ExportLink change={change} />: {counted(amount, 'run')} failed{text === null ? '. ' : `: ${text} `}
          {run !== null && (
            <TextLink to="/runs/$runId" params={{ runId: run }}>
              Newest run
            </TextLink>
          )}
        </>
      )
    case 'gaps':
      return (
        <>
          <ExportLink change={change} /> is missing {counted(amount, 'window')}
        </>
      )
    case 'error':
      return (
        <>
          New error:{' '}
          <TextLink to="/recordings/errors" search={cluster === null ? {} : { error: cluster }}>
            {text ?? 'without a message'}
          </TextLink>
        </>
      )
    case 'recordings':
      return <TextLink to="/recordings/errors">{counted(amount, 'recording')} with errors</TextLink>
    case 'paused':
    case 'unpaused':
    case 'created':
    case 'deleted':
      return (
        <>
          <ExportLink change={change} /> was {kind} by {change.by ?? 'the service'}
        </>
      )
  }
}

function ExportLink({ change: { kind, export: of } }: { change: HealthChange }): ReactNode {
  if (!of) return null
  if (kind === 'deleted') return <span className="font-medium">{of.name}</span>
  return (
    <Link to="/exports/$id" params={{ id: of.id }} className="font-medium hover:underline">
      {of.name}
    </Link>
  )
}
