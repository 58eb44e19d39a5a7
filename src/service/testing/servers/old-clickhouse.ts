import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { scriptOf } from '../../../../.ci/debian-package.ts'
import { freePort } from '../../engines/loopback.ts'
import { startProgram } from './test-program.ts'

const path = scriptOf('clickhouse-old')

/** Why no old ClickHouse can be started here; null if one can. */
export const oldClickhouseUnavailable = existsSync(path)
  ? null
  : 'there is no old ClickHouse: run node .ci/install-servers.ts'

/** Starts Debian's ClickHouse, of 2018, on loopback, with a folder of its own. */
export async function startOldClickhouse() {
  const folder = await mkdtemp(join(tmpdir(), 'spool-clickhouse-'))
  const port = await freePort()
  const config = {
    logger: '<level>information</level><console>1</console>',
    http_port: String(port),
    listen_host: '127.0.0.1',
    path: `${folder}/data/`,
    tmp_path: `${folder}/tmp/`,
    users_config: `${folder}/users.xml`,
    default_profile: 'default',
    default_database: 'default',
    mark_cache_size: '5368709',
  }
  const user = '<password>secret</password><networks><ip>::/0</ip></networks>'
  const users = {
    profiles: '<default/>',
    users: `<default>${user}<profile>default</profile><quota>default</quota></default>`,
    quotas: '<default/>',
  }
  await writeFile(join(folder, 'config.xml'), xmlOf(config))
  await writeFile(join(folder, 'users.xml'), xmlOf(users))
  const server = await startProgram({
    path,
    options: [`--config-file=${folder}/config.xml`],
    readyLine: 'Ready for connections',
  })
  return {
    connection: { host: '127.0.0.1', port, user: 'default', password: 'secret' },
    async stop() {
      await server.stop('SIGKILL')
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function xmlOf(elements: Readonly<Record<string, string>>): string {
  const texts = Object.entries(elements).map(([name, content]) => `<${name}>${content}</${name}>`)
  return `<yandex>${texts.join('')}</yandex>`
}
