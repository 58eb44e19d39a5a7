import { invalidInput } from '../../problems/api-error.ts'
import { findMatchedMoments } from '../../recordings/filter/matched-moments.ts'
import { findRecordings } from '../../store/recordings/session-recordings.ts'
import type { Handler } from '../handler.ts'
import { showRecordings } from './show-recording.ts'

/** Recordings in one request. */
const idsMax = 1000

export const matchedMoments: Handler<'matchedMoments'> = async ({ services, project, query }) => {
  const { session_ids: ids, ...filter } = query
  if (!ids || ids.length > idsMax)
    throw invalidInput(`Send the ids of the recordings, at most ${idsMax}.`, ['session_ids'])
  const rows = await findRecordings(services.store, project.id, ids)
  const shown = await showRecordings(services, project.id, rows)
  const moments = await findMatchedMoments(services, project.id, filter, { rows, shown })
  return { results: Object.fromEntries(moments) }
}
