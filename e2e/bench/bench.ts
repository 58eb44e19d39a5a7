import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { listFigures } from './bench-api.ts'
import { addHours, fillExports, type FilledExports } from './bench-fill.ts'
import { keptData } from './kept-data.ts'
import { captureFigures } from './bench-capture.ts'
import { deliveryFigures, nextWindowEnd } from './exports/delivery.ts'
import { fillRepairs, repairFigures } from './bench-repair.ts'
import { hourFigures } from './bench-hour.ts'
import { floodFigures } from './bench-flood.ts'
import { forgedFigures } from './bench-forged.ts'
import { interactionFigures } from './bench-interaction.ts'
import { pageFigures } from './bench-pages.ts'
import { replayFigures } from './bench-replay.ts'
import { recordingFigures } from './bench-recordings.ts'
import { signInEnv, signInFigures } from './bench-sign-in.ts'
import { startFigures } from './bench-start.ts'
import { holds, type Figure } from './bench-figure.ts'
import { watchNoise } from './bench-noise.ts'
import { partInWords, report, writePage, type MeasuredPart } from './bench-report.ts'
import { startService, type RunningService } from '../service.ts'
import { cleanUpAtEnd } from '../../.ci/clean-up-at-end.ts'
import { installServers } from '../../.ci/install-servers.ts'

cleanUpAtEnd()
/** Longest wait (ms) for the end of a window with which `delivery` is measured before other parts. */
const waitMsMax = 60_000
/** Longest times (ms) for the service to start, and for start and set-up of `delivery` together. */
const startMsMax = 5000
const setUpMsMax = 15_000
/** Parts measured during that wait; each takes at most `shortMsMax` (ms) once its data are kept. */
const shortParts: readonly string[] = ['sign-in', 'forged', 'repair', 'clusters']
const shortMsMax = 15_000

/** Parts by name: `npm run bench -- pages api` measures two parts, `npm run bench` all of them. */
const parts: Record<string, () => Promise<Figure[]>> = {
  start: startFigures,
  exports: () => figuresOf('bench-export.ts'),
  delivery: () => withService(deliveryFigures, { SPOOL_ROLES: 'serve,schedule,work' }),
  tables: () => figuresOf('bench-tables.ts'),
  uploads: async () => {
    installServers()
    return await figuresOf('bench-uploads.ts')
  },
  api: () => withExports(listFigures),
  'sign-in': () => withService(signInFigures, signInEnv),
  capture: () =>
    withService(async (service) => [...(await captureFigures(service)), ...(await floodFigures(service))]),
  replay: async () => [...(await withService(replayFigures)), ...(await hourFigures())],
  forged: () => withService(forgedFigures),
  pages: () => withExports(pageFigures),
  interaction: interactionFigures,
  recordings: recordingFigures,
  repair: () => withKept('repair', fillRepairs, repairFigures),
  clusters: () => figuresOf('bench-clusters.ts'),
}

const { values: options, positionals: chosen } = parseArgs({
  allowPositionals: true,
  options: { json: { type: 'string' }, page: { type: 'boolean', default: false } },
})
const unknown = chosen.filter((name) => !(name in parts))
if (unknown.length > 0)
  throw new Error(`Unknown parts: ${unknown.join(', ')}. Parts: ${Object.keys(parts).join(', ')}.`)
let left = Object.entries(parts).filter(([name]) => chosen.length === 0 || chosen.includes(name))
const names = left.map(([name]) => name)
const measured: MeasuredPart[] = []
for (let part = next(); part; part = next()) measured.push(await measuredPart(...part))
measured.sort((one, other) => names.indexOf(one.name) - names.indexOf(other.name))
if (measured.some(({ failure, figures }) => failure !== null || figures.some((figure) => !holds(figure))))
  process.exitCode = 1
if (options.json) await writeFile(options.json, `${JSON.stringify(await report(measured), null, 2)}\n`)
if (options.page) await writePage(await report(measured), chosen)

/** Takes the next part: `delivery` when the end of a window is near, after short parts for which there is time, or last. */
function next(): [string, () => Promise<Figure[]>] | undefined {
  const waitMs = nextWindowEnd(startMsMax) - Date.now()
  const [part] = kindsIn(waitMs).flatMap((kind) => left.filter(([name]) => kindOf(name) === kind))
  left = left.filter((each) => each !== part)
  return part
}

/** Returns the kinds of parts in the order in which to take them, given the time (ms) until a window ends. */
function kindsIn(waitMs: number): string[] {
  if (waitMs > waitMsMax) return ['long', 'short', 'delivery']
  if (waitMs > shortMsMax + setUpMsMax) return ['short', 'delivery', 'long']
  return ['delivery', 'long', 'short']
}

function kindOf(name: string): string {
  return name === 'delivery' ? name : shortParts.includes(name) ? 'short' : 'long'
}

async function measuredPart(name: string, measure: () => Promise<Figure[]>): Promise<MeasuredPart> {
  const noise = await watchNoise()
  const started = performance.now()
  let failure: string | null = null
  const figures = await measure().catch((error: unknown) => {
    failure = error instanceof Error ? error.message : String(error)
    return []
  })
  const seconds = (performance.now() - started) / 1000
  const part = { name, seconds, noise: await noise(), figures, failure }
  console.log(partInWords(part))
  return part
}

/** Runs a script in a separate process, because a process has only one ClickHouse engine and one memory peak. */
async function figuresOf(script: string): Promise<Figure[]> {
  const path = join(import.meta.dirname, script)
  const { stdout } = await promisify(execFile)(process.execPath, [path], { maxBuffer: 1e8 })
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '[]')
}

async function withService<Result>(
  use: (service: RunningService) => Promise<Result>,
  env: Record<string, string> = {},
  dataDirectory?: string,
): Promise<Result> {
  const service = await startService({
    env: { SPOOL_RATE_LIMIT: '0', SPOOL_ROLES: 'serve', ...env },
    ...(dataDirectory !== undefined && { dataDirectory }),
  })
  try {
    return await use(service)
  } finally {
    await service.stop()
  }
}

/** Runs a service with exports that have runs of a month. */
function withExports(
  use: (service: RunningService, filled: FilledExports) => Promise<Figure[]>,
): Promise<Figure[]> {
  return withKept('fill', fillExports, async (service, known) => {
    // Hours have passed since the data were made.
    await addHours(service, 48)
    return await use(service, known)
  })
}

/** Runs a service with the data that the file `bench-NAME.ts` makes. */
async function withKept<Known>(
  name: string,
  fill: (service: RunningService) => Promise<Known>,
  use: (service: RunningService, known: Known) => Promise<Figure[]>,
): Promise<Figure[]> {
  const source = join(import.meta.dirname, `bench-${name}.ts`)
  const { dataDirectory, known } = await keptData(name, source, (folder) => withService(fill, {}, folder))
  return await withService((service) => use(service, known), {}, dataDirectory)
}
