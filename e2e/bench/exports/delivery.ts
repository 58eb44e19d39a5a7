import { setTimeout } from 'node:timers/promises'
import { windowAt } from '../../../src/contract/interval.ts'
import { connectStore } from '../../connect-store.ts'
import type { Tenant } from '../../journey.ts'
import type { RunningService } from '../../service.ts'
import { quantile, type Figure } from '../bench-figure.ts'

const exportCount = 40
/** Time (ms) that the set-up needs before the window ends. */
const setUpMs = 10_000
const waitMs = 60_000

/** Returns the end of the window that is measured by a set-up that begins after `delayMs`, and ends 10 s to 310 s later. */
export function nextWindowEnd(delayMs = 0): number {
  return windowAt('every 5 minutes', Date.now() + delayMs + setUpMs).end
}

/**
 * Measures the time from a window's end until its file is delivered, of exports every 5 minutes that the service schedules
 * itself. Waits for the end of a window.
 */
export async function deliveryFigures(service: RunningService): Promise<Figure[]> {
  const tenant = await service.admin<Tenant>('organization', 'create', '--name', 'Delivery')
  const end = nextWindowEnd()
  for (let number = 0; number < exportCount; number++) await createExport(service, tenant, number)
  await capture(service, tenant)
  await setTimeout(end - Date.now())
  const delays = await deliveryDelays(service, end)
  const figure = (percentile: number, bound: number) => ({
    name: `from a window's end until the file is delivered, ${exportCount} exports every 5 minutes, p${percentile}`,
    measured: quantile(delays, percentile / 100),
    bound,
    unit: 's',
  })
  return [figure(50, 10), figure(99, 15)]
}

async function createExport({ origin }: RunningService, tenant: Tenant, number: number): Promise<void> {
  const response = await fetch(`${origin}/api/projects/${tenant.project_id}/batch_exports/`, {
    method: 'POST',
    headers: { authorization: `Bearer ${tenant.api_key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      name: `Delivery ${number}`,
      interval: 'every 5 minutes',
      destination: {
        type: 'File',
        config: { path: `delivery-${number}`, file_format: 'Parquet', compression: 'zstd' },
      },
    }),
  })
  if (response.status !== 201) throw new Error(await response.text())
}

/** Sends 5,000 events, which arrive in the window that is about to end. */
async function capture({ origin }: RunningService, { project_token }: Tenant): Promise<void> {
  const timestamp = new Date().toISOString()
  for (let batch = 0; batch < 100; batch++) {
    const events = Array.from({ length: 50 }, (_, index) => ({
      event: '$pageview',
      properties: { token: project_token, distinct_id: `visitor-${index}`, $current_url: `/${batch}` },
      timestamp,
    }))
    const response = await fetch(`${origin}/e/`, { method: 'POST', body: JSON.stringify(events) })
    if (response.status !== 200) throw new Error(await response.text())
  }
}

/** Returns the delays (s) of all exports. @throws when a file is not delivered in time */
async function deliveryDelays(service: RunningService, end: number): Promise<number[]> {
  const client = await connectStore(service)
  try {
    for (const until = Date.now() + waitMs; Date.now() < until;) {
      const { rows } = await client.query<{ delay: number }>(
        `SELECT extract(epoch FROM finished_at - data_interval_end)::float8 AS delay FROM batch_export_runs
         WHERE data_interval_end = $1 AND status = 'Completed' AND records_completed > 0`,
        [new Date(end)],
      )
      if (rows.length === exportCount) return rows.map(({ delay }) => delay)
      await setTimeout(500)
    }
    throw new Error(`Not all of ${exportCount} files were delivered.`)
  } finally {
    await client.end()
  }
}
