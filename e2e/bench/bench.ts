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
import { excess, isTooNoisy, watchNoise } from './bench-noise.ts'
import { partInWords, report, writePage, type MeasuredPart } from './bench-report.ts'
import { startService, type RunningService } from '../service.ts'
import { cleanUpAtEnd } from '../../.ci/clean-up-at-end.ts'
import { installServers } from '../../.ci/install-servers.ts'

cleanUpAtEnd()
/** Factor by which a part may take longer on a slower machine. */
const margin = 1.4
/** Longest times (ms) for the service to start, and for start and set-up of `delivery` together. */
const startMsMax = 5000
const setUpMsMax = 15_000
/** Times (ms) within which parts are measured again: in all, and for each chosen part. */
const allMsMax = 600_000
const eachMsMax = 180_000

/** A part of the benchmark and how long it takes (s) on two cores once its data are kept. */
type Part = { seconds: number; measure: () => Promise<Figure[]> }

/** Parts by name: `npm run bench -- pages api` measures two parts, `npm run bench` all of them. */
const parts: Record<string, Part> = {
  start: { seconds: 22, measure: startFigures },
  exports: { seconds: 91, measure: () => figuresOf('bench-export.ts') },
  delivery: {
    seconds: 35,
    measure: () => withService(deliveryFigures, { SPOOL_ROLES: 'serve,schedule,work' }),
  },
  tables: { seconds: 37, measure: () => figuresOf('bench-tables.ts') },
  uploads: {
    seconds: 16,
    async measure() {
      installServers()
      return await figuresOf('bench-uploads.ts')
    },
  },
  api: { seconds: 20, measure: () => withExports(listFigures) },
  'sign-in': { seconds: 10, measure: () => withService(signInFigures, signInEnv) },
  capture: {
    seconds: 20,
    measure: () =>
      withService(async (service) => [...(await captureFigures(service)), ...(await floodFigures(service))]),
  },
  replay: {
    seconds: 69,
    measure: async () => [...(await withService(replayFigures)), ...(await hourFigures())],
  },
  forged: { seconds: 6, measure: () => withService(forgedFigures) },
  pages: { seconds: 48, measure: () => withExports(pageFigures) },
  interaction: { seconds: 67, measure: interactionFigures },
  recordings: { seconds: 62, measure: recordingFigures },
  repair: { seconds: 13, measure: () => withKept('repair', fillRepairs, repairFigures) },
  clusters: { seconds: 4, measure: () => figuresOf('bench-clusters.ts') },
}

const { values: options, positionals: chosen } = parseArgs({
  allowPositionals: true,
  options: { json: { type: 'string' }, page: { type: 'boolean', default: false } },
})
const unknown = chosen.filter((name) => !(name in parts))
if (unknown.length > 0)
  throw new Error(`Unknown parts: ${unknown.join(', ')}. Parts: ${Object.keys(parts).join(', ')}.`)
const names = Object.keys(parts).filter((name) => chosen.length === 0 || chosen.includes(name))
const started = performance.now()
const first: MeasuredPart[] = []
let left = names
for (let name = next(); name !== undefined; name = next()) first.push(await measuredPart(name))
const measured = await measuredAgain(first)
measured.sort((one, other) => names.indexOf(one.name) - names.indexOf(other.name))
const seconds = (performance.now() - started) / 1000
if (measured.some(({ failure, figures }) => failure !== null || figures.some((figure) => !holds(figure))))
  process.exitCode = 1
if (options.json)
  await writeFile(options.json, `${JSON.stringify(await report(measured, seconds), null, 2)}\n`)
if (options.page) await writePage(await report(measured, seconds), chosen)

/** Takes the longest part that ends before `delivery` must begin, so that `delivery` waits little for the end of a window; else `delivery`. */
function next(): string | undefined {
  const endsIn = left.includes('delivery') ? nextWindowEnd(startMsMax) - setUpMsMax - Date.now() : Infinity
  const name =
    left
      .filter((each) => each !== 'delivery' && longestMs(each) <= endsIn)
      .toSorted((one, other) => longestMs(other) - longestMs(one))[0] ??
    left.find((each) => each === 'delivery')
  left = left.filter((each) => each !== name)
  return name
}

function longestMs(name: string): number {
  return margin * 1000 * (parts[name]?.seconds ?? Infinity)
}

/**
 * Measures again, noisiest first, the parts that were too noisy to judge, as far as time allows. Of both measurements, keeps the one
 * in less noise, whatever its figures, or the second if it failed.
 */
async function measuredAgain(all: readonly MeasuredPart[]): Promise<MeasuredPart[]> {
  const latest = started + Math.min(allMsMax, all.length * eachMsMax)
  const kept = all.toSorted((one, other) => excess(other.noise) - excess(one.noise))
  for (const [index, part] of kept.entries()) {
    // `delivery` could wait for minutes, and waiting is most of what it measures.
    if (!isTooNoisy(part.noise) || part.name === 'delivery' || part.failure !== null) continue
    if (performance.now() + longestMs(part.name) > latest) continue
    const again = await measuredPart(part.name)
    const isKept = again.failure !== null || excess(again.noise) < excess(part.noise)
    console.log(`Of both measurements of ${part.name}, the ${isKept ? 'second' : 'first'} counts.`)
    kept[index] = isKept ? { ...again, other: part } : { ...part, other: again }
  }
  return kept
}

async function measuredPart(name: string): Promise<MeasuredPart> {
  const noise = await watchNoise()
  const from = performance.now()
  let failure: string | null = null
  const figures =
    (await parts[name]?.measure().catch((error: unknown) => {
      failure = error instanceof Error ? error.message : String(error)
    })) ?? []
  const seconds = (performance.now() - from) / 1000
  const part = { name, seconds, noise: await noise(), figures, failure, other: null }
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
