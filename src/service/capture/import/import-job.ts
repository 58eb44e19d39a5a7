import { setTimeout as delay } from 'node:timers/promises'
import type { Services } from '../../services.ts'
import type { Store } from '../../store/database.ts'
import { newId } from '../../store/identifier.ts'
import { importEvents, type Import, type ImportServices } from './import-events.ts'
import { ImportError } from './import-error.ts'

type ServingServices = ImportServices & Pick<Services, 'logger'>
type Pace = { pollMs: number; unservedMsMax: number }

const usualPace: Pace = { pollMs: 500, unservedMsMax: 15_000 }

/**
 * Has a running service import a file that lies on its machine, and waits until it has.
 * @throws ImportError with what was wrong, or when no service takes it.
 */
export async function requestImport(
  store: Store,
  { projectId, file }: Import,
  pace = usualPace,
): Promise<{ events: number }> {
  const now = Date.now()
  const id = newId(now)
  const row = {
    id,
    project_id: projectId,
    file,
    created_at: new Date(now),
    finished_at: null,
    events: null,
    error: null,
  }
  await store.insertInto('event_imports').values(row).execute()
  try {
    return await answer(store, id, pace)
  } finally {
    await store.deleteFrom('event_imports').where('id', '=', id).execute()
  }
}

async function answer(
  store: Store,
  id: string,
  { pollMs, unservedMsMax }: Pace,
): Promise<{ events: number }> {
  let servedAt = performance.now()
  while (performance.now() - servedAt < unservedMsMax) {
    // Whoever imports a file holds its row: one that can be locked is finished, waits, or lost its service.
    const free = await store
      .selectFrom('event_imports')
      .selectAll()
      .where('id', '=', id)
      .forUpdate()
      .skipLocked()
      .executeTakeFirst()
    if (!free) servedAt = performance.now()
    else if (free.error !== null) throw new ImportError(free.error)
    else if (free.finished_at !== null) return { events: free.events ?? 0 }
    await delay(pollMs)
  }
  throw new ImportError('The file was not imported: the running service does not answer.')
}

/** Imports what commands ask for that cannot open the engines beside this process; `stop` begins no more. */
export async function serveImports(
  services: ServingServices,
  pace = usualPace,
): Promise<{ stop(): Promise<void> }> {
  const stopping = new AbortController()
  const { signal } = stopping
  const loop = serve(services, pace, signal)
  return {
    async stop() {
      stopping.abort()
      await loop
    },
  }
}

async function serve(services: ServingServices, { pollMs }: Pace, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const isServed = await serveNext(services).catch((error: unknown) => {
      if (!signal.aborted) services.logger.error({ err: error }, 'imports could not be served')
      return false
    })
    if (!isServed) await delay(pollMs, undefined, { signal }).catch(() => undefined)
  }
}

/** The row stays locked while its file is imported; a service that dies lets go of it, and the next one begins anew. */
async function serveNext(services: ServingServices): Promise<boolean> {
  return services.store.transaction().execute(async (transaction) => {
    const asked = await transaction
      .selectFrom('event_imports')
      .selectAll()
      .where('finished_at', 'is', null)
      .orderBy('id')
      .limit(1)
      .forUpdate()
      .skipLocked()
      .executeTakeFirst()
    if (!asked) return false
    const outcome = await outcomeOf(services, { projectId: asked.project_id, file: asked.file })
    await transaction
      .updateTable('event_imports')
      .set({ ...outcome, finished_at: new Date(services.clock.now()) })
      .where('id', '=', asked.id)
      .execute()
    return true
  })
}

async function outcomeOf(services: ServingServices, given: Import) {
  try {
    const { events } = await importEvents(services, given)
    return { events, error: null }
  } catch (error) {
    if (error instanceof ImportError) return { events: null, error: error.message }
    services.logger.error({ err: error }, 'a file could not be imported')
    return { events: null, error: 'The file was not imported: the service failed, and its log says why.' }
  }
}
