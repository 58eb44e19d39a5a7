import { join } from 'node:path'
import { chromium, devices } from '@playwright/test'
import { installBrowser } from '../../.ci/install-browser.ts'
import { startService } from '../service.ts'
import { Analyst, type Interaction } from './analyst.ts'
import { quantile, type Figure } from './bench-figure.ts'
import { fillWorkplace } from './bench-interaction-fill.ts'
import { journeys } from './interaction-journeys.ts'
import { keptData } from './kept-data.ts'

/** Factor by which the browser's processor is slowed down. */
const slowdown = 4
const interactionMsMax = 50
/** Measures how long the dashboard takes to paint after each click and key of an analyst's day on a slow device. */
export async function interactionFigures(): Promise<Figure[]> {
  const source = join(import.meta.dirname, 'bench-interaction-fill.ts')
  const { dataDirectory, known } = await keptData('interaction', source, fillWorkplace)
  const env = { SPOOL_RATE_LIMIT: '0', SPOOL_ROLES: 'serve', SPOOL_BOOTSTRAP_API_KEY: known.apiKey }
  const service = await startService({ dataDirectory, env })
  const browser = await chromium.launch({ executablePath: installBrowser(), args: ['--no-sandbox'] })
  try {
    const page = await browser.newPage({ ...devices['Desktop Chrome'], timezoneId: 'UTC' })
    const analyst = await Analyst.of(page, slowdown)
    await page.goto(`${service.origin}/exports#key=${known.apiKey}`)
    for (const journey of journeys) await journey(analyst, known)
    return figuresOf(analyst.interactions)
  } finally {
    await browser.close()
    await service.stop()
  }
}

function figuresOf(interactions: readonly Interaction[]): Figure[] {
  const sorted = interactions.toSorted((a, b) => b.ms - a.ms)
  const suffix = `processor ${slowdown} × slower`
  const worst = sorted.slice(0, 3).map(({ name, ms }) => `${name} ${ms} ms`)
  return [
    {
      name: `interaction to next paint, ${suffix}: p95 of ${sorted.length}`,
      measured: quantile(
        sorted.map(({ ms }) => ms),
        0.95,
      ),
      bound: interactionMsMax,
      unit: 'ms',
      note: `slowest: ${worst.join('; ')}`,
    },
  ]
}
