import { useState, type ReactNode } from 'react'
import { writeReason } from '../../contract/runs/run-status.ts'
import type { ProjectHealth } from '../../contract/repair/project-health.ts'
import { useAccount } from '../account.ts'
import { shopAddress } from '../api/content-origin.ts'
import { NewExport } from '../exports/list/new-export.tsx'
import { CaptureSnippet } from '../recordings/list/capture-snippet.tsx'
import { ButtonLink } from '../ui/controls/button-link.tsx'
import { Button } from '../ui/controls/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { LiveLight } from './capture-activity.tsx'

type FirstStepsProps = { health: Pick<ProjectHealth, 'exports' | 'capture'> }

/** What a new project needs; each step ticks itself when it is done. All ticked steps stay until the page is left. */
export function FirstSteps({ health: { exports, capture } }: FirstStepsProps) {
  const { scopes, projectId } = useAccount()
  const lastEvent = capture?.last_event ?? null
  const hasRecording = Boolean(capture?.last_recording)
  const isNew = exports.total === 0 || capture?.last_event === null
  const isUnfinished = isNew || capture?.last_recording === null
  const [wasUnfinished, setWasUnfinished] = useState(isUnfinished)
  if (isUnfinished && !wasUnfinished) setWasUnfinished(true)
  const hiddenKey = `spool.first-steps-hidden.${projectId}`
  const [isHidden, setIsHidden] = useState(() => localStorage.getItem(hiddenKey) !== null)
  const hide = () => {
    localStorage.setItem(hiddenKey, 'yes')
    setIsHidden(true)
  }
  if (!wasUnfinished || (isHidden && !isNew)) return null
  return (
    <section aria-label="First steps" className="mt-4 max-w-180">
      <ol className="flex flex-col">
        <Step done={capture && lastEvent !== null} title="Send events">
          <p className="text-ink-2">
            Point posthog-js on your pages at this service, or open the{' '}
            <a href={shopAddress()} target="_blank" rel="noreferrer" className="underline underline-offset-3">
              demo shop
            </a>
            .
          </p>
          {lastEvent === null && <CaptureSnippet />}
          {capture === null ? (
            <p className="text-ink-3">
              Whether events arrive is not shown: you lack the scope session_recording:read.
            </p>
          ) : (
            <p className="flex items-center gap-2">
              <LiveLight capture={capture} />
              <span className="text-ink-3">
                {lastEvent === null ? 'Waiting for the first event' : 'Events arrive'}
              </span>
            </p>
          )}
        </Step>
        <Step done={exports.total > 0} title="Create the first export">
          <p className="text-ink-2">
            An export writes events, persons or recordings to a bucket or folder every five minutes, hour, day
            or week.
          </p>
          <NewExport look={exports.total === 0 ? 'primary' : 'plain'} reason={writeReason(scopes)} />
        </Step>
        <Step done={capture && hasRecording} title="Watch the first recording">
          <p className="text-ink-2">
            posthog-js also records what visitors see and do, unless you turn that off.
          </p>
          {hasRecording && <ButtonLink to="/recordings">Recordings</ButtonLink>}
        </Step>
      </ol>
      {!isNew && (
        <p className="mt-2">
          <Button onClick={hide}>Hide these steps</Button>
        </p>
      )}
    </section>
  )
}

type StepProps = {
  /** Null if unknown. */
  done: boolean | null
  title: string
  children: ReactNode
}

function Step({ done, title, children }: StepProps) {
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
          {title}{' '}
          <output className="text-xs font-normal text-ink-3">
            {done === null ? '' : done ? 'done' : 'to do'}
          </output>
        </h2>
        {children}
      </div>
    </li>
  )
}
