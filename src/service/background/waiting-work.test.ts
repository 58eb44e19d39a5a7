import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { updateRows, insertRow } from '../store/schema/rows.ts'
import { newId } from '../store/schema/identifier.ts'
import { newObjects } from '../testing/test-place.ts'
import { createExport } from '../testing/test-rows.ts'
import { createTestService, type TestService } from '../testing/test-service.ts'
import { openWaitingWork } from './waiting-work.ts'

let service: TestService
beforeAll(async () => {
  service = await createTestService()
})
afterAll(() => service.stop())

test('a loop works while there is work of its kind, and once a minute without', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  const { store, clock } = service.services
  const { project_id } = service.own
  const objects = newObjects(service, project_id, await createExport(service))
  const change = (to: Parameters<typeof updateRows<'repair_plans'>>[3]) =>
    updateRows(store, 'repair_plans', { project_id }, to)
  const created: Record<string, () => Promise<unknown>> = {
    imports: () => {
      const now = clock.now()
      const unfinished = { finished_at: null, events: null, error: null }
      const request = { id: newId(now), project_id, file: 'a.jsonl', created_at: new Date(now) }
      return insertRow(store, 'event_imports', { ...request, ...unfinished })
    },
    bulkActions: objects.bulkAction,
    summaries: () => objects.recording().then(objects.groupSummary),
    plansToCount: () => objects.repairPlan().then(() => change({ rows_counted: false })),
    plans: () => change({ status: 'Running' }),
  }
  const kinds = Object.keys(created) as Parameters<ReturnType<typeof openWaitingWork>>[0][]
  const worked = new Set<string>()
  const whenWaiting = openWaitingWork(store)
  const loops = kinds.map((kind) =>
    whenWaiting(kind, { problem: kind, work: async () => worked.add(kind).size }),
  )
  /** Lets time pass, and returns the kinds of the loops that worked then. */
  const workedAfter = async (ms: number) => {
    vi.advanceTimersByTime(ms)
    worked.clear()
    await Promise.all(loops.map((loop) => loop.work(new AbortController().signal)))
    return [...worked]
  }
  expect(await workedAfter(0)).toEqual(kinds)
  expect(await workedAfter(500)).toEqual([])
  expect(await workedAfter(60_000)).toEqual(kinds)
  for (const [index, create] of Object.values(created).entries()) {
    await create()
    expect(await workedAfter(500)).toEqual(kinds.slice(0, index + 1))
  }
  vi.useRealTimers()
})
