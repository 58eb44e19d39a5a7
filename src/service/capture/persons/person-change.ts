import { safeText } from '../../engines/safe-text.ts'

type Properties = Record<string, unknown>

/** What an event says about its person; an event that says nothing makes no person. */
export type PersonChange = {
  set: Properties
  setOnce: Properties
  unset: string[]
  /** Another distinct id of the same person; null without. */
  joins: string | null
  /** Whether it joins even where the other id belongs to a person who is known by more than that id. */
  force: boolean
}

/** Ids that only a mistake in a program makes; joining them would make one person of many. */
const meaninglessIds = new Set([
  'anonymous',
  'guest',
  'distinctid',
  'distinct_id',
  'id',
  'not_authenticated',
  'email',
  'undefined',
  'true',
  'false',
  'null',
  'none',
  'nan',
  '0',
  '[object object]',
])

/** More properties than this no person has; working them out would hold up everybody else. */
const keysMax = 2000

/** What an event with these properties changes about its person; null for nothing, or when it asks for no person. */
export function personChange(event: string, distinctId: string, properties: Properties): PersonChange | null {
  const { $set, $set_once: setOnce, $unset } = properties
  const isIdentify = event === '$identify'
  if (!isIdentify && !joinEvents.has(event) && !isObject($set) && !isObject(setOnce) && !$unset) return null
  if (properties['$process_person_profile'] === false) return null
  const unset = Array.isArray($unset) ? $unset : isObject($unset) ? Object.keys($unset) : []
  return {
    set: bounded($set),
    setOnce: bounded(setOnce),
    unset: unset.slice(0, keysMax).filter((key) => typeof key === 'string'),
    joins: joined(
      distinctId,
      isIdentify ? properties['$anon_distinct_id'] : joinEvents.has(event) && properties['alias'],
    ),
    force: event === '$merge_dangerously',
  }
}

const joinEvents = new Set(['$create_alias', '$merge_dangerously'])

function joined(distinctId: string, value: unknown): string | null {
  if (typeof value !== 'string' || value === '') return null
  const other = safeText(value, 200)
  const isMeaningless = [distinctId, other].some((id) => meaninglessIds.has(id.trim().toLowerCase()))
  return other === distinctId || isMeaningless ? null : other
}

function bounded(value: unknown): Properties {
  return isObject(value) && Object.keys(value).length <= keysMax ? value : {}
}

function isObject(value: unknown): value is Properties {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
