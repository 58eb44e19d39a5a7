import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { RowDataPacket } from 'mysql2'
import { createConnection } from 'mysql2/promise'
import { scriptOf } from '../../../../.ci/debian-package.ts'
import { freePort } from '../../engines/loopback.ts'
import { quoteMysql as quote } from '../../../contract/destinations/tables/window-query.ts'
import { startProgram } from './test-program.ts'
import { adaptedServer } from './table-server.ts'

const unpacked = scriptOf('mariadb')
const program = ['/usr/sbin/mariadbd', unpacked].find((path) => existsSync(path))
const files = join(program === unpacked ? join(dirname(unpacked), 'root') : '/', 'usr/share/mysql')

/** Why no MariaDB can be started here; null if one can. */
export const mysqlUnavailable = program ? null : 'there is no MariaDB: run node .ci/install-servers.ts'

/**
 * Starts Debian's MariaDB on loopback, with a folder of its own.
 * @param extra its options, for example a certificate: without one, it has no TLS
 */
export async function startTestMysql(extra: readonly string[] = []) {
  const folder = await mkdtemp(join(tmpdir(), 'spool-mariadb-'))
  const data = join(folder, 'data')
  await mkdir(data)
  const port = await freePort()
  const options = [
    '--no-defaults',
    `--datadir=${data}`,
    `--lc-messages-dir=${files}`,
    `--character-sets-dir=${join(files, 'charsets')}`,
    `--user=${userInfo().username}`,
    `--socket=${join(folder, 'socket')}`,
    '--innodb-log-file-size=64M',
    '--innodb-buffer-pool-size=64M',
    '--innodb-flush-log-at-trx-commit=2',
    // MariaDB has ended in the middle of tests; the likely cause is asynchronous I/O by io_uring, which depends on the kernel.
    '--innodb-use-native-aio=0',
    '--skip-name-resolve',
    '--bind-address=127.0.0.1',
    `--port=${port}`,
    ...extra,
  ]
  await createSystemTables(options)
  const server = await startProgram({ path: program ?? '', options, readyLine: 'ready for connections' })
  const root = await createConnection({ host: '127.0.0.1', port, user: 'root', supportBigNumbers: true })
  const name = `warehouse "é" ${randomBytes(4).toString('hex')}`
  const [user, password] = ['spool "é"', `p'"\\ ${randomBytes(8).toString('hex')}`]
  await root.query(`CREATE DATABASE ${quote(name)}`)
  await root.query(`USE ${quote(name)}`)
  const createUser = async (named: string, privileges: string) => {
    await root.query('CREATE USER ?@? IDENTIFIED BY ?', [named, '127.0.0.1', password])
    await root.query(`GRANT ${privileges} ON ${quote(name)}.* TO ?@?`, [named, '127.0.0.1'])
  }
  await createUser(user, 'ALL')
  await createUser('reader', 'SELECT')
  const adapted = adaptedServer({
    type: 'MySQL',
    config: { host: '127.0.0.1', port, database: name, user },
    password,
    reader: 'reader',
    quote,
    types: { text: 'LONGTEXT', integer: 'INT', end: 'CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin' },
    newest: '',
    commit: { text: 'COMMIT', armedBy: 'REPLACE INTO' },
    isTransactional: true,
    query: async (sql) => {
      const [rows] = await root.query<RowDataPacket[]>(sql)
      return Array.isArray(rows) ? rows : []
    },
    update: async (table, set, where) => void (await root.query(`UPDATE ${table} SET ${set} WHERE ${where}`)),
    remove: async (table, where) => void (await root.query(`DELETE FROM ${table} WHERE ${where}`)),
    async close() {
      root.destroy()
      await server.stop('SIGKILL')
      await rm(folder, { recursive: true, force: true })
    },
  })
  return { ...adapted, limitFiles: server.limitFiles }
}

async function createSystemTables(options: readonly string[]): Promise<void> {
  const names = ['mysql_system_tables', 'mysql_performance_tables', 'mysql_system_tables_data']
  const scripts = await Promise.all(names.map((name) => readFile(join(files, `${name}.sql`), 'utf8')))
  const statements = ['CREATE DATABASE mysql;', 'USE mysql;', 'SET @auth_root_socket=NULL;', ...scripts]
  const child = spawn(program ?? '', [...options, '--bootstrap'], { stdio: ['pipe', 'ignore', 'pipe'] })
  child.stdin.end(statements.join('\n'))
  const [printed, [code]] = await Promise.all([text(child.stderr), once(child, 'close')])
  if (code !== 0) throw new Error(printed)
}
