import { setTimeout as delay } from 'node:timers/promises'
import type { Selectable } from 'kysely'
import type { Services } from '../../services.ts'
import type { Loop } from '../../start-loops.ts'
import { rowsOf, type Database, type Store } from '../../store/schema/database.ts'
import { newId } from '../../store/schema/identifier.ts'
import { deleteRows, insertRow, updateRows } from '../../store/schema/rows.ts'
import { importEvents, type Import, type ImportServices } from './import-events.ts'
import { ImportError } from './import-source.ts'

type EventImport = Selectable<Database['event_imports']>
type ServingServices = ImportServices & Pick<Services, 'logger'>

const defaultPace = { pollMs: 500, unservedMsMax: 15_000 }
type Pace = typeof defaultPace

/**
 * Asks the running service to import a file on its machine, and waits for the result.
 * @throws ImportError describing the problem, or when no service claims the request.
 */
export async function requestImport(store: Store, { projectId, file }: Import, pace = defaultPace) {
  const now = Date.now()
  const id = newId(now)
  const unfinished = { finished_at: null, events: null, error: null }
  const row = { id, project_id: projectId, file, created_at: new Date(now), ...unfinished }
  await insertRow(store, 'event_imports', row)
  try {
    return await waitForResult(store, id, pace)
  } finally {
    await deleteRows(store, 'event_imports', { id })
  }
}

async function waitForResult(store: Store, id: string, { pollMs, unservedMsMax }: Pace) {
  let servedAt = performance.now()
  while (performance.now() - servedAt < unservedMsMax) {
    // The importing service locks the row. An unlocked row is finished, waiting, or abandoned by its service.
    const [free] = await rowsOf<EventImport>(store)`
      SELECT * FROM event_imports WHERE id = ${id} FOR UPDATE SKIP LOCKED`
    if (!free) servedAt = performance.now()
    else if (free.error !== null) throw new ImportError(free.error)
    else if (free.finished_at !== null) return { events: free.events ?? 0 }
    await delay(pollMs)
  }
  throw new ImportError('The file was not imported: the running service does not respond.')
}

/** Serves import requests of commands that cannot open the engines themselves. */
export function importLoop(services: ServingServices, { pollMs } = defaultPace): Loop {
  return {
    problem: 'failed to serve imports',
    work: async () => ((await serveNext(services)) ? 0 : pollMs),
  }
}

/** Imports the file of one request and locks its row, so that another service starts over if this one dies. */
async function serveNext(services: ServingServices): Promise<boolean> {
  return services.store.transaction().execute(async (transaction) => {
    const [request] = await rowsOf<EventImport>(transaction)`
      SELECT * FROM event_imports WHERE finished_at IS NULL ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED`
    if (!request) return false
    const outcome = await outcomeOf(services, { projectId: request.project_id, file: request.file })
    const change = { ...outcome, finished_at: new Date(services.clock.now()) }
    await updateRows(transaction, 'event_imports', { id: request.id }, change)
    return true
  })
}

async function outcomeOf(services: ServingServices, given: Import) {
  try {
    const { events } = await importEvents(services, given)
    return { events, error: null }
  } catch (error) {
    if (error instanceof ImportError) return { events: null, error: error.message }
    services.logger.error({ err: error }, 'failed to import a file')
    return { events: null, error: 'The file was not imported: the service failed; see its log.' }
  }
}
