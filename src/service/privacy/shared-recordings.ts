import type { Services } from '../services.ts'
import { sessionsToErase, type PersonErasureRow } from '../store/privacy/person-erasures.ts'
import { sessionsOfOthers, sessionsOfPerson } from './erase-rows.ts'

type Erased = Pick<PersonErasureRow, 'project_id' | 'distinct_ids' | 'erased_until'>

/**
 * Returns the sessions in which a person took part, the number of their recordings, those of them that also show other
 * persons, and the sessions of recordings that began as another person's.
 */
export async function sessionsWithPerson(
  { store, warehouse }: Pick<Services, 'store' | 'warehouse'>,
  { project_id, distinct_ids, erased_until }: Erased,
) {
  const person = { project_id, distinct_ids, erased_until, session_ids: [], kept_session_ids: [] }
  const ofEvents = await sessionsOfPerson(warehouse, person)
  const recorded = await sessionsToErase(store, { ...person, session_ids: ofEvents })
  const session_ids = [...new Set([...ofEvents, ...recorded.map((each) => each.session_id)])]
  const ofOthers = new Set(await sessionsOfOthers(warehouse, { ...person, session_ids }))
  const begunByOthers = recorded.filter(({ is_of_other }) => is_of_other).map(({ session_id }) => session_id)
  const isShared = (session: (typeof recorded)[number]) =>
    session.is_of_other || ofOthers.has(session.session_id)
  return {
    session_ids,
    begunByOthers,
    counts: {
      recordings: recorded.length,
      shared_recordings: recorded.filter(isShared).length,
      recordings_of_others: begunByOthers.length,
    },
  }
}
