import { gzipSync } from 'node:zlib'
import type { Figure } from './bench-figure.ts'
import type { Tenant } from '../journey.ts'
import { sendBody } from './send-body.ts'
import type { RunningService } from '../service.ts'

const eventsPerBatch = 50
const batchCount = 1600
/** The first batches would measure the compiler rather than the service. */
const warmUpBatches = 400
/** Requests at the same time: enough that the service limits the rate. */
const clients = 64

/** Measures the capture of events as posthog-js sends them, while client and service share the machine. */
export async function captureFigures(service: RunningService): Promise<Figure[]> {
  const tenant = await service.admin<Tenant>('organization', 'create', '--name', 'Bench')
  const batches = Array.from({ length: batchCount }, (_, batch) =>
    gzipSync(JSON.stringify(captureBatch(tenant, batch)), { level: 1 }),
  )
  const sendAll = async (bodies: Buffer[]) => {
    const queue = [...bodies]
    const senders = Array.from({ length: clients }, async () => {
      for (let body = queue.pop(); body; body = queue.pop()) await sendBody(`${service.origin}/e/?ip=1`, body)
    })
    await Promise.all(senders)
  }
  await sendAll(batches.slice(0, warmUpBatches))
  const started = performance.now()
  await sendAll(batches.slice(warmUpBatches))
  const seconds = (performance.now() - started) / 1000
  const events = (batches.length - warmUpBatches) * eventsPerBatch
  return [
    {
      name: 'capture, batches of 50 as posthog-js sends them',
      measured: events / seconds,
      bound: 20_000,
      unit: 'events/s',
      atLeast: true,
    },
  ]
}

function captureBatch(tenant: Tenant, batch: number): unknown[] {
  const visitor = `visitor-${batch % 200}`
  return Array.from({ length: eventsPerBatch }, (_, index) => ({
    uuid: crypto.randomUUID(),
    event: index % 10 === 0 ? '$pageview' : '$autocapture',
    properties: {
      token: tenant.project_token,
      distinct_id: visitor,
      $session_id: `session-${batch}`,
      $window_id: `window-${batch}`,
      $current_url: `https://shop.example/products/${index}?from=search`,
      $host: 'shop.example',
      $pathname: `/products/${index}`,
      $browser: 'Chrome',
      $browser_version: 156,
      $os: 'Mac OS X',
      $device_type: 'Desktop',
      $screen_width: 1440,
      $screen_height: 900,
      $viewport_width: 1280,
      $viewport_height: 720,
      $lib: 'web',
      $lib_version: '1.449.2',
      $insert_id: crypto.randomUUID(),
      $time: Date.now() / 1000,
      $referrer: '$direct',
      $initial_person_info: { r: '$direct', u: 'https://shop.example/' },
      $elements_chain:
        'button.primary:attr__class="primary"nth-child="2"nth-of-type="1"text="Add to cart";div:nth-child="1"',
      $process_person_profile: false,
    },
    timestamp: new Date().toISOString(),
  }))
}
