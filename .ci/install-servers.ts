import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { unpackProgram } from './debian-package.ts'

const servers = resolve(import.meta.dirname, '../.servers')

/** Installs the servers that tests of destinations start. Tests of a server that cannot be installed are skipped. */
export function installServers(): void {
  attempt('MariaDB', installMariadb)
  attempt('OpenSSH', installSshServer)
  attempt('Azurite', installAzurite)
  attempt('an old ClickHouse', installOldClickhouse)
}

function installMariadb(): void {
  if (!existsSync('/usr/sbin/mariadbd'))
    unpackProgram('mariadb', { name: 'mariadb-server-core', path: 'usr/sbin/mariadbd' })
}

function installSshServer(): void {
  if (!existsSync('/usr/sbin/sshd')) unpackProgram('sshd', { name: 'openssh-server', path: 'usr/sbin/sshd' })
}

function installOldClickhouse(): void {
  unpackProgram('clickhouse-old', { name: 'clickhouse-server', path: 'usr/sbin/clickhouse-server' })
}

/** Installs the packages of .servers, which are too many for those who only run the service. */
function installAzurite(): void {
  if (existsSync(join(servers, 'node_modules/.package-lock.json'))) return
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  execFileSync('npm', ['ci', ...options], { cwd: servers, stdio: ['ignore', 'ignore', 'inherit'] })
}

function attempt(server: string, install: () => void): void {
  try {
    install()
  } catch (error) {
    console.error(`${server} cannot be installed, so its tests are skipped: ${String(error)}`)
  }
}

if (import.meta.main) installServers()
