import { existsSync } from 'node:fs'
import { unpackProgram } from './debian-package.ts'

/** Installs the servers that tests of destinations start. Tests of a server that cannot be installed are skipped. */
function installServers(): void {
  attempt('MariaDB', installMariadb)
}

function installMariadb(): void {
  if (!existsSync('/usr/sbin/mariadbd'))
    unpackProgram('mariadb', { name: 'mariadb-server-core', path: 'usr/sbin/mariadbd' })
}

function attempt(server: string, install: () => void): void {
  try {
    install()
  } catch (error) {
    console.error(`${server} cannot be installed, so its tests are skipped: ${String(error)}`)
  }
}

if (import.meta.main) installServers()
