import type { Selectable } from 'kysely'
import {
  IncrementalSource,
  isActive,
  isClick,
  pageAddress,
  sourceOf,
  type RecordedEvent,
} from '../../replay/recorded/rrweb.ts'
import type { SnapshotSource } from '../../contract/recordings/snapshot-source.ts'
import { visitorWords } from '../../contract/recordings/visitor-name.ts'
import { safeText } from '../engines/safe-text.ts'
import type { CountedColumns } from '../store/schema/recording-tables.ts'
import { activeTime, activityOf, joinActivity } from './activity.ts'
import { consoleEventLevel } from './replay-console.ts'

export type RecordingCounts = Selectable<CountedColumns>

const mouseSources: ReadonlySet<unknown> = new Set([
  IncrementalSource.MouseMove,
  IncrementalSource.MouseInteraction,
  IncrementalSource.TouchMove,
])
/** Longest stored page address or screen name, in characters. */
export const urlLengthMax = 512

/** Computes the counts of an item's events; at least one event is required. */
export function countEvents(
  events: readonly RecordedEvent[],
  recorded: { distinctId: string; source: SnapshotSource; failedRequests: number },
): RecordingCounts {
  const moments: number[] = []
  const count = { click: 0, keypress: 0, mouse: 0, log: 0, warn: 0, error: 0 }
  let start = Infinity
  let end = -Infinity
  let page: Page = { start_url: '', start_url_at: null }
  for (const event of events) {
    const time = Math.floor(event.timestamp)
    start = Math.min(start, time)
    end = Math.max(end, time)
    const address = pageAddress(event)
    if (address !== '')
      page = earlierPage(page, { start_url: safeText(address, urlLengthMax), start_url_at: new Date(time) })
    const level = consoleEventLevel(event)
    if (level) count[level] += 1
    const source = sourceOf(event)
    if (isActive(event)) moments.push(time)
    if (mouseSources.has(source)) count.mouse += 1
    if (isClick(event)) count.click += 1
    if (source === IncrementalSource.Input) count.keypress += 1
  }
  return {
    distinct_id: recorded.distinctId,
    snapshot_source: recorded.source,
    start_time: new Date(start),
    end_time: new Date(end),
    activity: activityOf(moments),
    click_count: count.click,
    keypress_count: count.keypress,
    mouse_activity_count: count.mouse,
    console_log_count: count.log,
    console_warn_count: count.warn,
    console_error_count: count.error,
    failed_request_count: recorded.failedRequests,
    ...page,
  }
}

/** Combines the counts of two parts; their order does not matter. */
export function joinCounts(one: RecordingCounts, other: RecordingCounts): RecordingCounts {
  return {
    distinct_id: isEarlier(one.start_time, one.distinct_id, other.start_time, other.distinct_id)
      ? one.distinct_id
      : other.distinct_id,
    snapshot_source: one.snapshot_source === 'mobile' ? 'mobile' : other.snapshot_source,
    start_time: one.start_time < other.start_time ? one.start_time : other.start_time,
    end_time: one.end_time > other.end_time ? one.end_time : other.end_time,
    activity: joinActivity(one.activity, other.activity),
    click_count: one.click_count + other.click_count,
    keypress_count: one.keypress_count + other.keypress_count,
    mouse_activity_count: one.mouse_activity_count + other.mouse_activity_count,
    console_log_count: one.console_log_count + other.console_log_count,
    console_warn_count: one.console_warn_count + other.console_warn_count,
    console_error_count: one.console_error_count + other.console_error_count,
    failed_request_count: knownSum(one.failed_request_count, other.failed_request_count),
    ...earlierPage(one, other),
  }
}

/** Adds two counts; null, for unknown, if either is unknown. */
function knownSum(one: number | null, other: number | null): number | null {
  return one === null || other === null ? null : one + other
}

/** Derives a recording's lengths in seconds, of which the duration is rounded down, and the code of its visitor's words. */
export function derivedColumns({ distinct_id, start_time, end_time, activity }: RecordingCounts) {
  const recording_duration = Math.floor((end_time.getTime() - start_time.getTime()) / 1000)
  const active = activeTime(activity)
  return {
    recording_duration,
    active_seconds: active / 1000,
    inactive_seconds: Math.max(0, recording_duration * 1000 - active) / 1000,
    visitor_words: visitorWords(distinct_id),
  }
}

type Page = Pick<RecordingCounts, 'start_url' | 'start_url_at'>

function earlierPage(one: Page, other: Page): Page {
  const { start_url, start_url_at } =
    !other.start_url_at ||
    (one.start_url_at && isEarlier(one.start_url_at, one.start_url, other.start_url_at, other.start_url))
      ? one
      : other
  return { start_url, start_url_at }
}

/** Compares by time, then by text, so that the result does not depend on the order of arrival. */
function isEarlier(time: Date, text: string, otherTime: Date, otherText: string): boolean {
  const difference = time.getTime() - otherTime.getTime()
  return difference < 0 || (difference === 0 && text <= otherText)
}
