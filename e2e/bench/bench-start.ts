import { readFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { median, type Figure } from './bench-figure.ts'
import { startService, type RunningService } from '../service.ts'

const dashboard = resolve(import.meta.dirname, '../../dist')
const [firstStarts, laterStarts] = [3, 5]
/** Linux counts processor time in hundredths of a second. */
const ticksPerSecond = 100

type Start = { seconds: number; cpuSeconds: number }

/** Measures the first start, with an empty data directory, no built dashboard and nothing compiled, and later ones. */
export async function startFigures(): Promise<Figure[]> {
  const first: Start[] = []
  const later: Start[] = []
  for (let index = 0; index < firstStarts; index += 1) {
    const folder = await mkdtemp(join(tmpdir(), 'spool-start-'))
    await rm(dashboard, { recursive: true, force: true })
    const env = { SPOOL_SAMPLE_DATA: 'on', NODE_COMPILE_CACHE: join(folder, 'compiled') }
    const dataDirectory = join(folder, 'data')
    first.push(await measured({ env, dataDirectory, args: ['--build', '.ci/build-dashboard.ts'] }))
    await rm(folder, { recursive: true })
  }
  const dataDirectory = await mkdtemp(join(tmpdir(), 'spool-start-'))
  // The first of these creates the data directory.
  for (let index = 0; index <= laterStarts; index += 1) later.push(await measured({ dataDirectory }))
  await rm(dataDirectory, { recursive: true })
  return [
    ...figuresOf('the first start, with build and sample', first, { seconds: 5, cpuSeconds: 14 }),
    ...figuresOf('a later start', later.slice(1), { seconds: 1.2, cpuSeconds: 1.5 }),
  ]
}

/** Starts the service and stops it again. */
async function measured(options: Parameters<typeof startService>[0]): Promise<Start> {
  const started = performance.now()
  const service = await startService(options)
  const seconds = (performance.now() - started) / 1000
  const cpuSeconds = await cpuOf(service)
  await service.stop()
  return { seconds, cpuSeconds }
}

/** Returns the processor time of the service and of its children that have ended, such as the build. */
async function cpuOf({ pid }: RunningService): Promise<number> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8')
  const values = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return values.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / ticksPerSecond
}

function figuresOf(name: string, starts: readonly Start[], bound: Start): Figure[] {
  const figure = (unit: keyof Start) => median(starts.map((start) => start[unit]))
  return [
    { name: `${name}, median`, measured: figure('seconds'), bound: bound.seconds, unit: 's' },
    {
      name: `processor time of ${name}, median`,
      measured: figure('cpuSeconds'),
      bound: bound.cpuSeconds,
      unit: 's',
    },
  ]
}
