import { stat, mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, inject, test } from 'vitest'
import { readConfig } from '../config.ts'
import { openDataDirectory } from './data-directory.ts'
import { openEngines } from './engines.ts'
import { processStart } from './postgres/process-identity.ts'
import { StartupError } from '../startup-error.ts'
import { postmaster } from '../testing/servers/postgres-processes.ts'

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(inject('testFolder'), 'engines-'))
})

describe('the engines', () => {
  test('open embedded, lock the data directory, and leave nothing running', async () => {
    const config = readConfig({ SPOOL_DATA_DIR: folder })
    const engines = await openEngines(config)
    await engines.postgres.pool.query('SELECT 1')
    await engines.warehouse.query('SELECT 1')
    await engines.objects.put('a', Buffer.from('a'))
    expect(engines.secrets.open(engines.secrets.seal('a'))).toBe('a')
    expect(engines.exportsFolder).toBe(join(folder, 'exports'))
    expect((await stat(join(folder, 'exports'))).mode & 0o777).toBe(0o700)
    await expect(openEngines(config)).rejects.toThrow(`in use by another process (pid ${process.pid})`)
    const pid = await postmaster(join(folder, 'postgres'))
    await engines.stop()
    await engines.stop()
    expect(await processStart(pid)).toBeNull()
    await (await openDataDirectory(folder)).release()
  })

  test('are closed when one of them cannot be opened', async () => {
    const config = readConfig({ SPOOL_DATA_DIR: folder, CLICKHOUSE_URL: 'http://127.0.0.1:1' })
    await expect(openEngines(config)).rejects.toThrow(StartupError)
    await expect(postmaster(join(folder, 'postgres'))).rejects.toThrow('ENOENT')
    await (await openDataDirectory(folder)).release()
  })

  test('need no data directory when all of them are external', async () => {
    const config = readConfig({
      SPOOL_DATA_DIR: join(folder, 'unused'),
      DATABASE_URL: inject('testServerUrl'),
      CLICKHOUSE_URL: 'http://127.0.0.1:1',
      SPOOL_OBJECTS_URL: 's3://k:s@bucket?endpoint=http%3A%2F%2F127.0.0.1%3A1',
      SPOOL_SECRET_KEY: 'k'.repeat(32),
    })
    await expect(openEngines(config)).rejects.toThrow(StartupError)
    await expect(stat(join(folder, 'unused'))).rejects.toThrow('ENOENT')
  })
})
