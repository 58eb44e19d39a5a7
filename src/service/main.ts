import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { parseArgs } from 'node:util'
import { setFlagsFromString } from 'node:v8'
import { pino, type Logger } from 'pino'
import { readConfig } from './config.ts'
import { openEngines } from './engines/engines.ts'
import type { Part, Parts, StartedService } from './start-service.ts'
import { StartupError } from './startup-error.ts'

const stopTimeoutMs = 9500
const duplicateSignalMsMax = 1000

// V8 begins to mark the heap at this share (%) of its current limit, in the background and at once. Its defaults leave as little
// room as young objects need, so that a service that captures marked several times a second.
setFlagsFromString('--incremental-marking-soft-trigger=80')
setFlagsFromString('--incremental-marking-hard-trigger=95')

const parts: Parts = { working: [], foundations: [] }
let logger: Logger = pino({ level: 'warn' }, process.stderr)
let starting: Promise<void> = Promise.resolve()
let stoppingSince: number | null = null
let build: ChildProcess | undefined

process.on('SIGTERM', stop).on('SIGINT', stop)
// On a full disk, output is lost; without these listeners, the process would end. pino's own stream would block at exit.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)
try {
  starting = start()
  await starting
} catch (error) {
  build?.kill()
  await stopParts()
  if (!(error instanceof StartupError)) logger.fatal({ err: error }, 'failed to start the service')
  else console.error(error.message)
  process.exit(1)
}

async function start(): Promise<void> {
  const config = readConfig(process.env)
  logger = pino({ level: config.logLevel }, process.stderr)
  const { values } = parseArgs({ options: { build: { type: 'string' } } })
  const building = values.build === undefined ? Promise.resolve() : runBuild(values.build)
  const opening = openEngines(config, {
    report: (problem, error) => logger.error({ err: error }, problem),
  })
  // PostgreSQL starts while the rest of the service is loaded.
  const loading = import('./start-service.ts')
  // Their failures are thrown below, once the engines are open and can be stopped.
  for (const each of [building, loading]) each.catch(() => undefined)
  const engines = await opening
  parts.foundations.push({ name: 'engines', stop: () => engines.stop() })
  const { startService } = await loading
  const service = await startService(engines, { config, logger, building }, parts)
  if (stoppingSince !== null) return
  if (service.welcome) console.log(service.welcome)
  void addSample(service)
}

/** Runs a script that builds the dashboard. @throws StartupError if it fails. */
async function runBuild(script: string): Promise<void> {
  // Writing what it has compiled would take longer than that saves: builds are rare.
  const env = { ...process.env, NODE_COMPILE_CACHE: undefined }
  build = spawn(process.execPath, [script], { stdio: 'inherit', env })
  const [code] = await once(build, 'exit')
  if (code !== 0) throw new StartupError('The dashboard could not be built.')
}

/** Installs sample data; a failure is logged, not fatal. */
async function addSample(service: StartedService): Promise<void> {
  try {
    await service.addSample()
  } catch (error) {
    if (stoppingSince === null) logger.error({ err: error }, 'failed to create the sample project')
  }
}

/** Stops the service cleanly on the first signal, and exits immediately on a second one. */
function stop(): void {
  if (stoppingSince !== null) {
    // Under npm, Ctrl-C reaches this process twice: from the terminal and from npm.
    if (performance.now() - stoppingSince > duplicateSignalMsMax) process.exit(130)
    return
  }
  stoppingSince = performance.now()
  build?.kill()
  const timer = setTimeout(() => {
    logger.warn('failed to stop the service in time')
    process.exit(0)
  }, stopTimeoutMs)
  timer.unref()
  void Promise.allSettled([starting])
    .then(stopParts)
    .then(() => process.exit(0))
}

async function stopParts(): Promise<void> {
  await Promise.all(parts.working.splice(0).map(stopPart))
  for (const part of parts.foundations.splice(0).toReversed()) await stopPart(part)
}

async function stopPart(part: Part): Promise<void> {
  try {
    await part.stop()
  } catch (error) {
    logger.error({ err: error }, `failed to stop ${part.name} cleanly`)
  }
}
