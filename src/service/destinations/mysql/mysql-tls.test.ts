import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { tryDestination } from '../try-destination.ts'
import { testNames } from '../../testing/test-engines.ts'
import { testJobs, type TestJobs } from '../../testing/test-jobs.ts'
import type { TableServer } from '../../testing/servers/table-server.ts'
import { certificateUnavailable, testCertificate } from '../../testing/servers/test-certificate.ts'
import { mysqlUnavailable, startTestMysql } from '../../testing/servers/test-mysql.ts'

const unavailable = mysqlUnavailable ?? certificateUnavailable
if (unavailable !== null) console.warn(`The tests of TLS with MariaDB are skipped: ${unavailable}.`)

describe.skipIf(unavailable !== null)('a server with a certificate of its own', () => {
  let jobs: TestJobs
  let server: TableServer
  let folder: string
  let own: string
  let other: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'spool-certificates-'))
    const certificate = await testCertificate(folder, 'database.test', 'localhost')
    own = certificate.text
    other = (await testCertificate(folder, 'other.test')).text
    jobs = await testJobs()
    server = await startTestMysql([`--ssl-cert=${certificate.cert}`, `--ssl-key=${certificate.key}`])
    for (const name of ['database.test', 'elsewhere.test']) testNames.set(name, () => '127.0.0.1')
  })
  afterAll(async () => {
    for (const name of ['database.test', 'elsewhere.test']) testNames.delete(name)
    await server.close()
    await jobs.cleanup()
    await rm(folder, { recursive: true, force: true })
  })

  const trust = { own: () => own, other: () => other, none: () => null }
  test.for<[mode: string, host: string, trusted: keyof typeof trust, isAccepted: boolean]>([
    ['require', '127.0.0.1', 'none', true],
    ['require', 'elsewhere.test', 'other', true],
    ['verify-ca', 'elsewhere.test', 'own', true],
    ['verify-ca', 'database.test', 'other', false],
    ['verify-full', 'database.test', 'own', true],
    ['verify-full', 'elsewhere.test', 'own', false],
    ['verify-full', '127.0.0.1', 'own', false],
  ])('%s at %s, with the root certificate %s: accepted %s', async ([mode, host, trusted, isAccepted]) => {
    const connection = { host, ssl_mode: mode, ssl_root_cert: trust[trusted]() }
    const row = await jobs.createExport(server.destination(jobs.services, {}, connection))
    const { ok, steps } = await tryDestination(jobs.services, row)
    const tls = steps.find(({ name }) => name === 'TLS')
    expect(ok, JSON.stringify(steps)).toBe(isAccepted)
    expect(tls?.detail).toContain(isAccepted ? `is encrypted (${mode})` : 'No secure connection')
  })
})
