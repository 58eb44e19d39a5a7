import { bootstrap } from './auth/bootstrap.ts'
import { createSignInLink, signInUrl, storeOrigin } from './auth/sign-in-link.ts'
import type { Engines } from './engines/engines.ts'
import { openServices } from './open-services.ts'
import { contentOriginWarning } from './server/content-origin.ts'
import { closeServer, listen } from './server/listen.ts'
import { createServer } from './server/server.ts'
import type { Services } from './services.ts'
import { startBackground } from './start-background.ts'
import type { Member } from './store/accounts/users.ts'
import { followDatabaseClock } from './store/schema/database-clock.ts'

/** Something that has been started and must be stopped. */
export type Part = { name: string; stop(): Promise<unknown> }

export type Parts = {
  /** Parts that accept or perform work; stopped first, all at once. */
  working: Part[]
  /** Parts that the work depends on, in opening order; stopped last, in reverse order. */
  foundations: Part[]
}

export type StartedService = {
  /** What to print; null if the process does not serve. */
  welcome: string | null
  /** Installs sample data on the first start. */
  addSample(): Promise<void>
}

/**
 * Starts the service on these engines; it listens once `building`, the build of the dashboard, has ended, so that no page is served
 * half-written. Adds each part as soon as it is open, so that it is stopped even if a later one fails.
 */
export async function startService(
  engines: Engines,
  { config, logger, building }: Pick<Services, 'config' | 'logger'> & { building: Promise<void> },
  { working, foundations }: Parts,
): Promise<StartedService> {
  const clock = await followDatabaseClock(engines.postgres.pool)
  foundations.push({ name: 'clock', stop: () => clock.stop() })
  const services = await openServices(engines, { config, clock, logger })
  const server = config.roles.includes('serve') ? await createServer(services) : null
  await building
  const { owner, projectId, isFirst } = await bootstrap(services)

  let origin: string | null = null
  if (server) {
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
  return {
    welcome: origin && (await welcome(services, config.origin ?? origin, isFirst ? owner : null)),
    async addSample() {
      if (!config.sampleData) return
      const { installSample } = await import('./sample/install-sample.ts')
      const { installSampleTable } = await import('./sample/install-table.ts')
      await installSample(services, projectId)
      if (config.databaseUrl === null) await installSampleTable(services, engines.postgres)
    },
  }
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
