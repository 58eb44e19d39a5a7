import { countPeriods, type CountedSource } from '../exporter/count-periods.ts'
import type { Services } from '../services.ts'
import { plansToCount, stepsToCount, storeRowCounts, type CountedStep } from '../store/repair/repair-rows.ts'

/** Time (ms) after which the rows of a plan's remaining steps are left unknown. */
const planMs = 60_000

/** Counts the rows that the steps of the oldest uncounted plan should export; resolves to whether there was such a plan. */
export async function countRepairRows(services: Services, signal: AbortSignal): Promise<boolean> {
  const { store, logger, warehouse } = services
  const [id] = await plansToCount(store)
  if (id === undefined) return false
  const limit = AbortSignal.any([signal, AbortSignal.timeout(planMs)])
  const counted: { number: number; rows: number }[] = []
  for (const { source, selectsBy, steps } of groups(await stepsToCount(store, id))) {
    if (limit.aborted) break
    const counts = await countPeriods(warehouse, source, selectsBy, steps).catch((error: unknown) => {
      logger.warn({ err: error, plan: id }, 'failed to count the rows of a repair plan')
      return null
    })
    if (counts) counted.push(...steps.map(({ number }, index) => ({ number, rows: counts[index] ?? 0 })))
  }
  // The next process counts again.
  if (!signal.aborted) await storeRowCounts(store, id, counted)
  return true
}

type Group = { source: CountedSource; selectsBy: CountedStep['selects_by']; steps: CountedStep[] }

/** Groups steps that one statement can count: those of exports with the same source. */
function groups(steps: readonly CountedStep[]): Group[] {
  const same = Map.groupBy(steps, ({ source, selects_by }) => JSON.stringify([source, selects_by]))
  return [...same.values()].flatMap((group) => {
    const [first] = group
    return first ? [{ source: first.source, selectsBy: first.selects_by, steps: group }] : []
  })
}
