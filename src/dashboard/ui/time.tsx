import { usePreferences } from '../format/preferences.ts'
import { duration, exactTime, relativeTime, shortTime, windowInWords } from '../format/time.ts'
import { useNow } from './use-now.ts'

type Moment = { time: string | number }

function toMs(time: string | number): number {
  return typeof time === 'number' ? time : Date.parse(time)
}

/** A time relative to now, kept up to date, with the exact time on hover. */
export function RelativeTime({ time }: Moment) {
  const ms = toMs(time)
  return <TimeText ms={ms}>{useNow((now) => relativeTime(ms, now))}</TimeText>
}

/** A time to the minute in the chosen zone, with the exact time and zone on hover. */
export function ShortTime({ time }: Moment) {
  const { zone } = usePreferences()
  const ms = toMs(time)
  const text = useNow((now) => shortTime(ms, zone, now))
  return <TimeText ms={ms}>{text}</TimeText>
}

function TimeText({ ms, children }: { ms: number; children: string }) {
  const { zone } = usePreferences()
  return (
    <time dateTime={new Date(ms).toISOString()} title={exactTime(ms, zone)} className="whitespace-nowrap">
      {children}
    </time>
  )
}

/** A data interval in the chosen zone. */
export function WindowTime(bounds: { start: string | number; end: string | number }) {
  const { zone } = usePreferences()
  const start = toMs(bounds.start)
  const end = toMs(bounds.end)
  const text = useNow((now) => windowInWords({ start, end }, zone, now))
  return (
    <time
      dateTime={new Date(start).toISOString()}
      title={`${exactTime(start, zone)} – ${exactTime(end, zone)}`}
    >
      {text}
    </time>
  )
}

/** The duration between two times; until now while the end is null. */
export function Elapsed({ from, until }: { from: string; until: string | null }) {
  const start = Date.parse(from)
  const end = until === null ? null : Date.parse(until)
  const text = useNow((now) => duration((end ?? now) - start))
  return <span className="whitespace-nowrap">{text}</span>
}
