import type { ProjectHealth } from '../../contract/repair/project-health.ts'
import { TextLink } from '../ui/text-link.tsx'
import { RelativeTime } from '../ui/time.tsx'
import { Sparkline } from '../ui/sparkline.tsx'
import { useNow } from '../ui/use-now.ts'
import { counted } from '../format/amount.ts'
import { Section } from './section.tsx'

/** The light is on if the newest event arrived less than this long (ms) ago. */
const liveMs = 60_000
/** Complete minutes whose events are averaged. */
const averagedMinutes = 5

/** When the last event and recording arrived, and how many events arrive per minute. */
export function CaptureActivity({ capture }: { capture: ProjectHealth['capture'] }) {
  const complete = capture?.by_minute.slice(-1 - averagedMinutes, -1) ?? []
  const perMinute = Math.round(
    complete.reduce((sum, events) => sum + events, 0) / Math.max(1, complete.length),
  )
  return (
    <Section title="Capture">
      {capture === null ? (
        <p className="text-ink-3">Your key lacks the scope session_recording:read.</p>
      ) : (
        <div className="flex flex-col gap-1.5">
          <p className="flex items-center gap-2">
            <LiveLight lastEvent={capture.last_event} />
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
            {counted(perMinute, 'event')} a minute in the last {averagedMinutes} min
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
export function LiveLight({ lastEvent }: { lastEvent: string | null }) {
  const at = lastEvent === null ? null : Date.parse(lastEvent)
  const isLive = useNow((now) => at !== null && now - at < liveMs)
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
