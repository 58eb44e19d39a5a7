import { sql, type RawBuilder } from 'kysely'
import { parseInstant } from '../../../contract/instant.ts'
import {
  recordingOrders,
  relativePattern,
  type PropertyFilter,
  type RecordingFilter,
  type RecordingOrder,
} from '../../../contract/recordings/recording-filter.ts'
import { invalidInput } from '../../problems/api-error.ts'
import { isOpen } from '../../store/recordings/recording-sharing.ts'
import { fromSelected, type RowCondition } from '../../store/recordings/recordings-list.ts'
import { isTimeZone, startOfDay } from './time-zone.ts'
import { asNumber, readComparison, type Comparison } from './filter-comparison.ts'

/** `of`: the row that has the column; a recording's facts are computed after capture. */
type Column = {
  name: string
  type: 'bigint' | 'double precision' | 'text'
  of: 'recording' | 'facts'
}
const count = (name: string): Column => ({ name, type: 'bigint', of: 'recording' })
const seconds = (name: string): Column => ({ name, type: 'double precision', of: 'recording' })
const text = (name: string, of: Column['of'] = 'recording'): Column => ({ name, type: 'text', of })

/** Time (ms) without new data after which a session counts as over. */
export const ongoingMs = 5 * 60_000

/** Properties of recordings that are true or false. Null, before the recording's facts are known, counts as false. */
const flags = new Map<string, (now: number) => RowCondition>([
  ['viewed', () => sql`recording.viewed_at IS NOT NULL`],
  ['kept', () => sql`recording.persisted_at IS NOT NULL`],
  [
    'noted',
    () =>
      idIn(
        sql`SELECT recording_id FROM recording_notes`,
        (projectId) => sql`SELECT DISTINCT recording_id FROM recording_notes WHERE project_id = ${projectId}`,
      ),
  ],
  ['shared', (now) => isShared(sql<boolean>`${isOpen(new Date(now))}`)],
  ['left_form', () => withFacts(sql`facts.left_form`, false)],
  ['ongoing', (now) => sql`recording.last_updated_at > ${new Date(now - ongoingMs)}`],
])

/** Properties of recordings by their keys in filters. */
const columns = new Map<string, Column>([
  ['recording_duration', count('recording_duration')],
  ['duration', count('recording_duration')],
  ['active_seconds', seconds('active_seconds')],
  ['inactive_seconds', seconds('inactive_seconds')],
  ['click_count', count('click_count')],
  ['keypress_count', count('keypress_count')],
  ['mouse_activity_count', count('mouse_activity_count')],
  ['console_log_count', count('console_log_count')],
  ['console_warn_count', count('console_warn_count')],
  ['console_error_count', count('console_error_count')],
  ['failed_request_count', count('failed_request_count')],
  ['start_url', text('start_url')],
  ['distinct_id', text('distinct_id')],
  ['snapshot_source', text('snapshot_source')],
  ['rage_click_count', { name: 'rage_click_count', type: 'bigint', of: 'facts' }],
  ['outcome', text('outcome', 'facts')],
  ['browser', text('browser', 'facts')],
  ['device', text('device', 'facts')],
  ['country', text('country', 'facts')],
])

/** Requires `facts` of the recording that meet the condition. `areFew`: recordings that meet it are rare. */
function withFacts(condition: RowCondition, areFew: boolean): RowCondition {
  const facts = sql<boolean>`EXISTS (SELECT FROM recording_facts facts
    WHERE facts.recording_id = recording.id AND facts.project_id = recording.project_id AND ${condition})`
  const ids = (projectId: number) =>
    sql`SELECT recording_id FROM recording_facts facts WHERE facts.project_id = ${projectId} AND ${condition}`
  return areFew ? Object.assign(facts, { ids, isRare: true }) : facts
}

/**
 * Requires that a subquery has the recording's id. `ofProject` selects those of a project, usually few, each once; by default, the
 * subquery does.
 */
export function idIn(
  ids: RawBuilder<unknown>,
  ofProject: (projectId: number) => RawBuilder<unknown> = () => ids,
): RowCondition {
  return Object.assign(sql<boolean>`recording.id IN (${ids})`, { ids: ofProject, isRare: true })
}

function isShared(isOpenLink: RowCondition): RowCondition {
  const ids = sql`SELECT recording_id FROM session_recording_sharing WHERE ${isOpenLink}`
  // The links are those of all projects, so only the recordings' rows tell the project.
  const parts = [sql<boolean>`recording.id = ANY (ARRAY(${ids}))`]
  return Object.assign(sql<boolean>`recording.id IN (${ids})`, { parts, isRare: true })
}

/** Returns the list's conditions on the recordings' own rows. @throws ApiError 400 on `properties`. */
export function rowConditions(query: RecordingFilter, now: number): RowCondition[] {
  const { session_ids, snapshot_source, properties = [] } = query
  const conditions: RowCondition[] = []
  if (session_ids) conditions.push(sql`recording.session_id = ANY (${session_ids}::text[])`)
  if (snapshot_source) conditions.push(sql`recording.snapshot_source = ${snapshot_source}`)
  conditions.push(...dateConditions(query, now))
  for (const filter of properties)
    if (filter.type === 'recording') conditions.push(recordingCondition(filter, now))
  return conditions
}

type Dates = Pick<RecordingFilter, 'date_from' | 'date_to' | 'timezone'>

/** Returns the list's conditions on the start times of recordings. */
export function dateConditions(dates: Dates, now: number): RowCondition[] {
  const { from, to } = periodOf(dates, now)
  const conditions: RowCondition[] = []
  const add = (condition: RowCondition) => conditions.push(Object.assign(condition, { isPeriod: true }))
  if (from !== null) add(sql`recording.start_time >= ${new Date(from)}`)
  if (to !== null) add(sql`recording.start_time < ${new Date(to)}`)
  return conditions
}

const day = 86_400_000
const unitMs = { m: 60_000, h: 3_600_000, d: day, w: 604_800_000, M: 2_592_000_000, y: 31_536_000_000 }

/** Returns the range of start times, excluding `to`; a date without a time means the whole day. */
export function periodOf({ date_from: dateFrom, date_to: dateTo, timezone }: Dates, now: number) {
  if (timezone !== undefined && !isTimeZone(timezone))
    throw invalidInput(`"${timezone}" is not a time zone: send one like Europe/Berlin.`, ['timezone'])
  // Clamped, because requested dates may be earlier than PostgreSQL supports.
  const read = (text: string) => Math.max(readDateInput(text, now, timezone), 0)
  const isDay = /^\d{4}-\d\d-\d\d$/.test(dateTo ?? '')
  return {
    from: dateFrom === undefined ? null : read(dateFrom),
    to: dateTo === undefined ? null : read(dateTo) + (isDay ? day : 1),
  }
}

/**
 * Converts a filter's date (`-7d` or ISO 8601) to milliseconds since the epoch. `-1dStart` and `-1dEnd` are the first and
 * the last millisecond of yesterday in the time zone.
 */
function readDateInput(text: string, now: number, timeZone = 'UTC'): number {
  const [, count, unit = 'd'] = relativePattern.exec(text) ?? []
  if (count === undefined) return parseInstant(text)?.time ?? now
  if (unit === 'dStart') return startOfDay(now, -Number(count), timeZone)
  if (unit === 'dEnd') return startOfDay(now, 1 - Number(count), timeZone) - 1
  return now - Number(count) * (unit in unitMs ? unitMs[unit as keyof typeof unitMs] : day)
}

/** Returns the condition on `person` without negation, which the caller applies so that it covers missing persons. */
export function personCondition(filter: PropertyFilter, comparison: Comparison): RowCondition {
  const { key } = filter
  if (comparison.kind !== 'exact') return textCondition(sql`(person.properties ->> ${key})`, comparison)
  // These conditions use the index on properties.
  const variants = comparison.values.flatMap((value) => [value, ...typedValues(value)])
  return anyOf(variants.map((value) => sql`person.properties @> ${JSON.stringify({ [key]: value })}::jsonb`))
}

/** Returns the number or boolean that a text spells: '36' also matches the number 36. */
function typedValues(value: string): (number | boolean)[] {
  if (value === 'true' || value === 'false') return [value === 'true']
  const number = asNumber(value)
  return number !== null && String(number) === value ? [number] : []
}

/** Returns a condition on a property of recordings. @throws ApiError 400 on `properties`. */
export function recordingCondition(filter: PropertyFilter, now: number): RowCondition {
  const comparison = readComparison(filter, 'properties')
  const flag = flags.get(filter.key)
  if (flag) return flagCondition(flag(now), filter.key, comparison)
  const column = columns.get(filter.key)
  if (!column) {
    const known = [...columns.keys(), ...flags.keys()].join(', ')
    const problem = `A recording has no property "${filter.key}". Its properties are ${known}.`
    throw invalidInput(problem, ['properties'])
  }
  const condition =
    column.type === 'text'
      ? textCondition(sql.ref(`${column.of}.${column.name}`), comparison)
      : numberCondition(column, filter.key, comparison)
  const positive = column.of === 'facts' ? withFacts(condition, column.type !== 'text') : condition
  if (comparison.negated) return sql`(${positive}) IS NOT TRUE`
  const order = recordingOrders.find((each) => each === column.name)
  return order === undefined ? positive : indexedCondition(positive, order)
}

/** Returns the condition with its ids, which are read from the index for the order `comparedOrder`. */
function indexedCondition(condition: RowCondition, comparedOrder: RecordingOrder): RowCondition {
  const ids = (projectId: number) => sql`SELECT id ${fromSelected({ projectId, conditions: [condition] })}`
  return Object.assign(sql<boolean>`${condition}`, { ids, comparedOrder })
}

function flagCondition(flag: RowCondition, key: string, comparison: Comparison): RowCondition {
  const [value, ...others] = comparison.kind === 'exact' ? comparison.values : []
  const problem = `"${key}" is true or false: compare it to one of them with exact or is_not.`
  if ((value !== 'true' && value !== 'false') || others.length > 0)
    throw invalidInput(problem, ['properties'])
  return (value === 'true') === comparison.negated ? sql`(${flag}) IS NOT TRUE` : flag
}

function numberCondition({ name, type, of }: Column, key: string, comparison: Comparison): RowCondition {
  const column = sql.ref(`${of}.${name}`)
  const problem = `"${key}" is a number: compare it to numbers with exact, is_not, gt, gte, lt or lte.`
  const refuse = () => invalidInput(problem, ['properties'])
  switch (comparison.kind) {
    case 'is_set':
      return sql`${column} IS NOT NULL`
    case 'exact': {
      const numbers = comparison.values.map(asNumber)
      if (numbers.includes(null)) throw refuse()
      const possible = type === 'bigint' ? numbers.filter(Number.isSafeInteger) : numbers
      return sql`${column} = ANY (${possible}::${sql.raw(type)}[])`
    }
    case 'order': {
      const { sign, number } = comparison
      if (number === null) throw refuse()
      const bound = type === 'bigint' ? wholeBound(sign, number) : number
      return sql`${column} ${sql.raw(sign)} ${bound}::${sql.raw(type)}`
    }
    case 'icontains':
    case 'regex':
      throw refuse()
  }
}

/** Rounds a bound so that comparisons with integers stay the same and the column's index applies. */
function wholeBound(sign: '>' | '>=' | '<' | '<=', number: number): number {
  const whole = sign === '>' || sign === '<=' ? Math.floor(number) : Math.ceil(number)
  return Math.max(Math.min(whole, Number.MAX_SAFE_INTEGER), Number.MIN_SAFE_INTEGER)
}

function textCondition(column: RawBuilder<unknown>, comparison: Comparison): RowCondition {
  switch (comparison.kind) {
    case 'is_set':
      return sql`${column} IS NOT NULL`
    case 'exact':
      return sql`${column} = ANY (${comparison.values}::text[])`
    case 'icontains':
      return anyOf(comparison.values.map((value) => sql`${column} ILIKE ${containing(value)}`))
    case 'regex':
      return anyOf(comparison.values.map((value) => sql`${column} ~ ${postgresPattern(value)}`))
    case 'order': {
      const { value, number } = comparison
      const sign = sql.raw(comparison.sign)
      const asText = sql<boolean>`${column} COLLATE "C" ${sign} ${value}`
      if (number === null) return asText
      return sql`CASE WHEN pg_input_is_valid(${column}, 'double precision')
        THEN (${column})::double precision ${sign} ${number}::double precision ELSE ${asText} END`
    }
  }
}

/** Returns the LIKE pattern for texts that contain `part`. */
export function containing(part: string): string {
  return `%${part.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
}

/** Translates the few escapes of RE2 that PostgreSQL spells differently. */
function postgresPattern(pattern: string): string {
  const names: Record<string, string> = { b: 'y', B: 'Y', z: 'Z' }
  return pattern.replaceAll(/\\(.)/gs, (escape, letter: string) =>
    letter in names ? `\\${names[letter]}` : escape,
  )
}

export function anyOf(conditions: readonly RowCondition[]): RowCondition {
  return conditions.length === 0 ? sql`false` : sql`(${sql.join(conditions, sql` OR `)})`
}
