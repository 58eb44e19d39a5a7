import { pino, type Logger } from 'pino'
import { bootstrap } from './auth/bootstrap.ts'
import { createSignInLink, signInUrl, storeOrigin } from './auth/sign-in-link.ts'
import { readConfig } from './config.ts'
import { openEngines } from './engines/engines.ts'
import type { Postgres } from './engines/postgres/postgres.ts'
import { StartupError } from './startup-error.ts'
import { contentOriginWarning } from './server/content-origin.ts'
import { closeServer, listen } from './server/listen.ts'
import { createServer } from './server/server.ts'
import { startBackground } from './start-background.ts'
import { openServices } from './open-services.ts'
import type { Services } from './services.ts'
import type { Member } from './store/accounts/users.ts'
import { followDatabaseClock } from './store/schema/database-clock.ts'

const stopTimeoutMs = 9500
const duplicateSignalMsMax = 1000

type Part = { name: string; stop(): Promise<unknown> }

/** Parts that accept or perform work; stopped first, all at once. */
const working: Part[] = []
/** Parts that the work depends on, in opening order; stopped last, in reverse order. */
const foundations: Part[] = []
let logger: Logger = pino({ level: 'warn' }, process.stderr)
let starting: Promise<void> = Promise.resolve()
let stoppingSince: number | null = null

process.on('SIGTERM', stop).on('SIGINT', stop)
// On a full disk, output is lost; without these listeners, the process would end. pino's own stream would block at exit.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)
try {
  starting = start()
  await starting
} catch (error) {
  await stopParts()
  if (!(error instanceof StartupError)) logger.fatal({ err: error }, 'failed to start the service')
  else console.error(error.message)
  process.exit(1)
}

async function start(): Promise<void> {
  const config = readConfig(process.env)
  logger = pino({ level: config.logLevel }, process.stderr)
  const engines = await openEngines(config, {
    report: (problem, error) => logger.error({ err: error }, problem),
  })
  foundations.push({ name: 'engines', stop: () => engines.stop() })
  const clock = await followDatabaseClock(engines.postgres.pool)
  foundations.push({ name: 'clock', stop: () => clock.stop() })
  const services = await openServices(engines, { config, clock, logger })
  const { owner, projectId, isFirst } = await bootstrap(services)

  let origin: string | null = null
  if (config.roles.includes('serve')) {
    const server = await createServer(services)
    working.push({ name: 'server', stop: () => closeServer(server) })
    origin = await listen(server, config)
    await storeOrigin(services.store, origin)
    const warning = contentOriginWarning(config)
    if (warning !== null) logger.warn(warning)
    if (config.smtp && config.origin === null)
      logger.warn(`links in e-mails lead to ${origin}: set SPOOL_ORIGIN to the address that people open`)
  }
  const background = await startBackground(services)
  working.push({ name: 'background work', stop: () => background.stop() })
  if (stoppingSince !== null) return
  if (origin) console.log(await welcome(services, config.origin ?? origin, isFirst ? owner : null))
  if (config.sampleData) void addSample(services, engines.postgres, projectId)
}

/**
 * Says how to sign in. The first start has a link for the owner. A key that the environment sets is also shown at a terminal,
 * at every start: logs are kept and forwarded.
 */
async function welcome(services: Services, origin: string, newOwner: Member | null): Promise<string> {
  const { bootstrapApiKey: apiKey } = services.config
  if (apiKey !== null && (newOwner || process.stdout.isTTY))
    return `\n  Open this link in a browser to sign in. It contains an API key: treat it like a password.\n\n  ${signInUrl(origin, apiKey)}\n`
  if (newOwner)
    return `\n  Open this link in a browser to sign in. It works once, within a day.\n\n  ${await createSignInLink(services, origin, newOwner)}\n`
  return `\n  ${origin}/\n\n  For a sign-in link, run with the same environment variables: npm run --silent admin -- sign-in-link\n`
}

/** Installs sample data on the first start; a failure is logged, not fatal. */
async function addSample(services: Services, postgres: Postgres, projectId: number): Promise<void> {
  try {
    const { installSample } = await import('./sample/install-sample.ts')
    const { installSampleTable } = await import('./sample/install-table.ts')
    await installSample(services, projectId)
    if (services.config.databaseUrl === null) await installSampleTable(services, postgres)
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
  await Promise.all(working.splice(0).map(stopPart))
  for (const part of foundations.splice(0).toReversed()) await stopPart(part)
}

async function stopPart(part: Part): Promise<void> {
  try {
    await part.stop()
  } catch (error) {
    logger.error({ err: error }, `failed to stop ${part.name} cleanly`)
  }
}
