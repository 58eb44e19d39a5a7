import type { BatchExportRun } from '../../contract/runs/batch-export-run.ts'
import { intervalLength, type Interval } from '../../contract/interval.ts'

/** A range of milliseconds. */
export type TimeLeft = { from: number; to: number }
/** How long a completed run of the same export took (milliseconds), and for how many records. */
export type PastRun = { duration: number; records: number }

const second = 1000
const minute = 60 * second
const hour = 60 * minute

/**
 * Estimates how long a run still takes: between its own speed and halfway to the usual speed of its export, since a run slows down
 * and speeds up. Null while neither is known.
 */
export function runTimeLeft(
  { left, perSecond }: { left: number; perSecond: number },
  history: readonly PastRun[],
): TimeLeft | null {
  const own = perSecond > 0 ? (left / perSecond) * second : null
  const usual = quartiles(
    history.filter(({ records }) => records > 0).map((run) => run.duration / run.records),
  )
  if (!usual) return own === null ? null : { from: own * 0.8, to: own * 1.2 }
  const past = { from: usual.low * left, to: usual.high * left }
  if (own === null) return past
  const halfway = (time: number) => (own + time) / 2
  return { from: Math.min(own, halfway(past.from)), to: Math.max(own, halfway(past.to)) }
}

/**
 * Estimates how long a backfill still takes: at its pace so far, with the spread of the export's past runs. Null before its first
 * run ends.
 */
export function backfillTimeLeft(
  { finished, total, elapsed }: { finished: number; total: number; elapsed: number },
  history: readonly PastRun[],
): TimeLeft | null {
  if (finished === 0 || finished >= total) return null
  const left = (elapsed / finished) * (total - finished)
  const usual = quartiles(history.map(({ duration }) => duration))
  const [low, high] = usual ? [usual.low / usual.middle, usual.high / usual.middle] : [1, 1]
  return { from: left * Math.min(0.9, low), to: left * Math.max(1.1, high) }
}

/** Formats a range: `about 2–4 min left`, `a few seconds left`. */
export function timeLeftInWords({ from, to }: TimeLeft): string {
  if (to < 8 * second) return 'a few seconds left'
  const [unit, name] = to < 90 * second ? [second, 's'] : to < 90 * minute ? [minute, 'min'] : [hour, 'h']
  const step = unit === second ? 5 : 1
  const round = (time: number) => Math.max(step, Math.round(time / unit / step) * step)
  const [low, high] = [round(from), round(to)]
  return `about ${low === high ? high : `${low}–${high}`} ${name} left`
}

/** Says that a run takes longer than its window; null if it does not. `duration` in milliseconds. */
export function outlastsInWords(interval: Interval, duration: number, verb: string): string | null {
  const length = intervalLength(interval)
  if (duration <= length) return null
  const apart = { hour: 'an hour', day: 'a day', week: 'a week' }
  const between = interval === 'hour' || interval === 'day' || interval === 'week' ? apart[interval] : null
  return `${verb} ${roughly(duration)}, but windows are ${between ?? roughly(length)} apart`
}

/**
 * Warns that a run ends after the next window has ended; null for a run of a backfill, which may wait for a long time. `left`:
 * time left in milliseconds.
 */
export function runOutlastsInWords(
  run: Pick<BatchExportRun, 'backfill' | 'created_at' | 'last_updated_at'>,
  interval: Interval,
  left: number,
): string | null {
  if (run.backfill !== null) return null
  const elapsed = Date.parse(run.last_updated_at) - Date.parse(run.created_at)
  return outlastsInWords(interval, elapsed + left, 'Will take about')
}

function roughly(time: number): string {
  return time < 100 * minute ? `${Math.round(time / minute)} min` : `${Math.round(time / hour)} h`
}

function quartiles(values: readonly number[]): { low: number; middle: number; high: number } | null {
  const sorted = values.filter((value) => value > 0).toSorted((one, other) => one - other)
  const at = (share: number) => sorted[Math.round(share * (sorted.length - 1))] ?? 0
  return sorted.length === 0 ? null : { low: at(0.25), middle: at(0.5), high: at(0.75) }
}
