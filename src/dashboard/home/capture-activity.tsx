import type { ProjectHealth } from '../../contract/repair/project-health.ts'
import { TextLink } from '../ui/text-link.tsx'
import { RelativeTime } from '../ui/time.tsx'
import { Sparkline } from '../ui/sparkline.tsx'
import { counted } from '../format/amount.ts'
import { Section } from '../ui/section.tsx'

type Capture = NonNullable<ProjectHealth['capture']>

/** Complete minutes whose events are averaged. */
const averagedMinutes = 5

/** Returns the average events per minute, and whether events arrive: in these minutes or since. */
export function captureRate({ by_minute: byMinute }: Pick<Capture, 'by_minute'>) {
  const recent = byMinute.slice(-1 - averagedMinutes)
  const sum = recent.slice(0, averagedMinutes).reduce((total, events) => total + events, 0)
  return { perMinute: Math.round(sum / averagedMinutes), isLive: recent.some((events) => events > 0) }
}

/** When the last event and recording arrived, and how many events arrive per minute. */
export function CaptureActivity({ capture }: { capture: ProjectHealth['capture'] }) {
  return (
    <Section title="Capture">
      {capture === null ? (
        <p className="text-ink-3">Your key lacks the scope session_recording:read.</p>
      ) : (
        <div className="flex flex-col gap-1.5">
          <p className="flex items-center gap-2">
            <LiveLight capture={capture} />
            {capture.last_event === null ? (
              'No event yet'
            ) : (
              <span>
                Last event <RelativeTime time={capture.last_event} />
              </span>
            )}
          </p>
          <p className="flex items-center gap-2">
            <Sparkline values={capture.by_minute} />
            {counted(captureRate(capture).perMinute, 'event')} a minute in the last {averagedMinutes} min
          </p>
          {capture.last_recording && (
            <p className="wrap-anywhere">
              Last recording:{' '}
              <TextLink to="/recordings/$id" params={{ id: capture.last_recording.id }}>
                {capture.last_recording.name}
              </TextLink>
              , <RelativeTime time={capture.last_recording.at} />
            </p>
          )}
        </div>
      )}
    </Section>
  )
}

/** A light that is on while events arrive. */
export function LiveLight({ capture }: { capture: Capture }) {
  const { isLive } = captureRate(capture)
  return (
    <span className="inline-flex items-center gap-1.5">
      <i
        aria-hidden="true"
        className={`inline-block size-2.5 rounded-full ${isLive ? 'bg-ok motion-safe:animate-pulse' : 'border-2 border-edge'}`}
      />
      <output className={`text-xs font-medium ${isLive ? 'text-ok-ink' : 'text-ink-3'}`}>
        {isLive ? 'live' : 'quiet'}
      </output>
    </span>
  )
}
