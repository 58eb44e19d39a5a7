import { isObject } from '../../../replay/recorded/rrweb.ts'
import { safeText } from '../../engines/safe-text.ts'

type Properties = Record<string, unknown>

/** The change that an event makes to its person. An event without one creates no person. */
export type PersonChange = {
  set: Properties
  setOnce: Properties
  unset: string[]
  /** Another distinct id of the same person, or null. */
  joins: string | null
  /** Merges even if the other id belongs to a person with further distinct ids. */
  force: boolean
}

/** Ids that only come from programming errors; joining them would merge unrelated persons. */
const meaninglessIds = new Set(
  'anonymous,guest,distinctid,distinct_id,id,not_authenticated,email,undefined,true,false,null,none,nan,0,[object object]'.split(
    ',',
  ),
)

/** Properties per change; larger changes are ignored, since processing them would delay all other events. */
const keysMax = 2000

/** Returns how an event changes its person; null if it changes nothing or opts out of person processing. */
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
