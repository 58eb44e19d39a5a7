import { z } from 'zod'
import { formatInstant } from '../../../contract/instant.ts'
import { Person } from '../../../contract/recordings/person.ts'
import { assertScope } from '../../auth/access.ts'
import { isUuid } from '../../auth/uuid.ts'
import { notFound } from '../../problems/api-error.ts'
import { exportsOfPerson as findExports } from '../../exporter/exports-of-person.ts'
import {
  eventNumbers,
  pageOfEvents,
  type EventPlace,
  type PersonEventRow,
} from '../../recordings/persons/person-events.ts'
import { readProperties } from '../../recordings/session-events.ts'
import { recordingNumbers, recordingTimes, searchPersons } from '../../store/recordings/persons.ts'
import { findRecordings, type RecordingRow } from '../../store/recordings/session-recordings.ts'
import { decodeCursor, encodeCursor } from '../cursor-page.ts'
import type { Handler } from '../handler.ts'
import { shownAs } from '../shown-as.ts'

const recordingsMax = 2000

export const findPersons: Handler<'findPersons'> = async ({ services, projects: [project], query }) => {
  const results = project ? await searchPersons(services.store, project.id, query.search) : []
  return { results }
}

export const getPerson: Handler<'getPerson'> = async ({ services, person }) => {
  const { project_id, distinct_ids } = person
  const [recordings, events] = await Promise.all([
    recordingNumbers(services.store, project_id, distinct_ids),
    eventNumbers(services.warehouse, person),
  ])
  const times = [recordings.first?.getTime(), recordings.last?.getTime(), events.first, events.last]
  const seen = times.filter((time) => typeof time === 'number')
  return shownAs(Person, {
    ...person,
    first_seen: seen.length > 0 ? formatInstant(Math.min(...seen)) : null,
    last_seen: seen.length > 0 ? formatInstant(Math.max(...seen)) : null,
    recording_count: recordings.total,
    active_seconds: recordings.active_seconds,
    console_error_count: recordings.console_errors,
    event_count: events.total,
    events: events.events,
  })
}

export const recordingsOfPerson: Handler<'recordingsOfPerson'> = async ({ services, person }) => {
  const { project_id, distinct_ids } = person
  const recordings = await recordingTimes(services.store, project_id, distinct_ids, recordingsMax + 1)
  return {
    results: recordings
      .slice(0, recordingsMax)
      .map((recording) => ({ ...recording, start_time: formatInstant(recording.start_time) })),
    truncated: recordings.length > recordingsMax,
  }
}

export const eventsOfPerson: Handler<'eventsOfPerson'> = async ({ services, person, query, link }) => {
  const from = readPlace(query.cursor)
  const { rows, hasMore } = await pageOfEvents(services.warehouse, person, { name: query.event, from })
  const sessions = rows.flatMap(({ session_id: id }) => (id === '' || id.includes('\0') ? [] : id))
  const recordings = await findRecordings(services.store, person.project_id, [...new Set(sessions)])
  const bySession = new Map(recordings.map((recording) => [recording.session_id, recording]))
  const linkFrom = (row: PersonEventRow | undefined, back: boolean) =>
    row ? link({ cursor: cursorAt(row, back) }) : null
  const hasOlder = from?.back ? true : hasMore
  const hasNewer = from?.back ? hasMore : from !== null
  return {
    next: hasOlder ? linkFrom(rows.at(-1), false) : null,
    previous: hasNewer ? linkFrom(rows[0], true) : null,
    results: rows.map(({ session_id, time, properties, ...row }) => ({
      ...row,
      timestamp: formatInstant(time / 1000),
      properties: readProperties(properties),
      moment: momentIn(bySession.get(session_id), time / 1000),
    })),
  }
}

export const exportsOfPerson: Handler<'exportsOfPerson'> = async ({ services, caller, person }) => {
  assertScope(caller, 'batch_export:read')
  const { found, checked, total } = await findExports(services, person)
  const results = found.map(({ export: row, windows, runs }) => ({
    id: row.id,
    name: row.name,
    model: row.model,
    interval: row.interval,
    filtered:
      row.hogql_query !== null ||
      [row.destination_config['include_events'], row.destination_config['exclude_events']].some(
        (names) => Array.isArray(names) && names.length > 0,
      ),
    windows,
    runs: runs.map(({ id, data_interval_start, data_interval_end }) => ({
      id,
      data_interval_start: formatInstant(data_interval_start),
      data_interval_end: formatInstant(data_interval_end),
    })),
  }))
  return { results: results.toSorted((a, b) => b.windows - a.windows), checked, total }
}

/** Returns where in a recording an event occurred, within its duration; null without a recording. */
function momentIn(recording: RecordingRow | undefined, time: number) {
  if (!recording) return null
  const at = Math.round(time - recording.start_time.getTime())
  return {
    recording: recording.session_id,
    at: Math.min(Math.max(at, 0), recording.recording_duration * 1000),
  }
}

/** Text that ClickHouse accepts as a parameter. */
const plain = z.string().refine((text) => !text.includes('\0') && text.isWellFormed())
const Cursor = z.tuple([z.int(), z.string().refine(isUuid), plain, plain, z.boolean()])

function cursorAt({ time, uuid, event, distinct_id }: PersonEventRow, back: boolean): string {
  const cursor: z.infer<typeof Cursor> = [time, uuid, event, distinct_id, back]
  return encodeCursor(cursor)
}

/** Reads the place at which a cursor's page starts; null without a cursor. @throws ApiError 404 for an invalid cursor. */
function readPlace(cursor: string | undefined): { place: EventPlace; back: boolean } | null {
  if (cursor === undefined || cursor === '') return null
  const parsed = Cursor.safeParse(decodeCursor(cursor))
  if (!parsed.success) throw notFound('Invalid cursor')
  const [time, uuid, event, distinctId, back] = parsed.data
  return { place: { time, uuid, event, distinctId }, back }
}
