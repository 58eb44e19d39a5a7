import type { ReactNode } from 'react'
import { writeReason } from '../../contract/batch-export-run.ts'
import type { ProjectHealth } from '../../contract/project-health.ts'
import { useAccount } from '../account.ts'
import { NewExport } from '../exports/list/new-export.tsx'
import { CaptureSnippet } from '../recordings/list/capture-snippet.tsx'
import { ButtonLink } from '../ui/button-link.tsx'
import { Icon } from '../ui/icon.tsx'
import { LiveLight } from './capture-activity.tsx'

/** What a new project needs; each step ticks itself when it is done. */
export function FirstSteps({
  health: { exports, capture },
}: {
  health: Pick<ProjectHealth, 'exports' | 'capture'>
}) {
  const { scopes } = useAccount()
  const lastEvent = capture?.last_event ?? null
  const hasRecording = Boolean(capture?.last_recording)
  return (
    <section aria-label="First steps" className="mt-4 max-w-180">
      <ol className="flex flex-col">
        <Step done={lastEvent !== null} title="Send events">
          <p className="text-ink-2">
            Point posthog-js on your pages at this service, or open the{' '}
            <a href="/demo/" target="_blank" rel="noreferrer" className="underline underline-offset-3">
              demo shop
            </a>
            .
          </p>
          {lastEvent === null && <CaptureSnippet />}
          <p className="flex items-center gap-2">
            <LiveLight lastEvent={lastEvent} />
            <span className="text-ink-3">
              {lastEvent === null ? 'Waiting for the first event' : 'Events arrive'}
            </span>
          </p>
        </Step>
        <Step done={exports.total > 0} title="Create the first export">
          <p className="text-ink-2">
            An export writes events, persons or recordings to a bucket or folder every five minutes, hour, day
            or week.
          </p>
          <NewExport look={exports.total === 0 ? 'primary' : 'plain'} reason={writeReason(scopes)} />
        </Step>
        <Step done={hasRecording} title="Watch the first recording">
          <p className="text-ink-2">
            posthog-js also records what visitors see and do, unless you turn that off.
          </p>
          {hasRecording && <ButtonLink to="/recordings">Recordings</ButtonLink>}
        </Step>
      </ol>
    </section>
  )
}

function Step({ done, title, children }: { done: boolean; title: string; children: ReactNode }) {
  return (
    <li className="flex gap-3 border-b border-line py-3">
      <span
        aria-hidden="true"
        className={`mt-0.5 grid size-5 shrink-0 place-items-center rounded-full border ${done ? 'border-ok text-ok-ink' : 'border-edge'}`}
      >
        {done && <Icon name="check" size={12} />}
      </span>
      <div className="flex min-w-0 flex-1 flex-col items-start gap-2">
        <h2>
          {title} <output className="text-xs font-normal text-ink-3">{done ? 'done' : 'to do'}</output>
        </h2>
        {children}
      </div>
    </li>
  )
}
