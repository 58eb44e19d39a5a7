import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { integrationKinds } from '../../../contract/integrations/integration-kinds.ts'
import type { BatchExportRow } from '../../store/runs/batch-exports.ts'
import { insertIntegration } from '../../store/runs/integrations.ts'
import { updateRow } from '../../store/schema/rows.ts'
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
    const certificate = await testCertificate(folder, 'database.test', 'localhost', '127.0.0.2')
    own = certificate.text
    other = (await testCertificate(folder, 'other.test')).text
    jobs = await testJobs()
    server = await startTestMysql([
      `--ssl-cert=${certificate.cert}`,
      `--ssl-key=${certificate.key}`,
      '--bind-address=127.0.0.1,127.0.0.2',
    ])
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
    ['verify-full', '127.0.0.2', 'own', true],
    ['verify-full', '127.0.0.1', 'own', false],
  ])('%s at %s, with the root certificate %s: accepted %s', async ([mode, host, trusted, isAccepted]) => {
    const connection = { host, ssl_mode: mode, ssl_root_cert: trust[trusted]() }
    const row = await jobs.createExport(server.destination(jobs.services, {}, connection))
    const { ok, steps } = await tryDestination(jobs.services, row)
    const tls = steps.find(({ name }) => name === 'TLS')
    expect(ok, JSON.stringify(steps)).toBe(isAccepted)
    expect(tls?.detail).toContain(isAccepted ? `is encrypted (${mode})` : 'No secure connection')
  })

  test('a rotated connection is used with its own TLS mode, also by a run that began before', async () => {
    const { clock, secrets, store } = jobs.services
    const { database, ...address } = server.config
    const stored = (ssl_mode: string, ssl_root_cert: string | null) => ({
      config: { host: address.host, port: address.port, ssl_mode, ssl_root_cert },
      secrets: secrets.seal(JSON.stringify({ user: address.user, password: server.password })),
    })
    const connection = {
      project_id: jobs.projectId,
      kind: 'mysql',
      name: 'Rotated',
      address: integrationKinds.mysql.addressOf(address),
      created_at: new Date(clock.now()),
      ...stored('require', null),
    } as const
    const made = await insertIntegration(store, connection, 1)
    if (typeof made === 'string') throw new Error(made)
    const destination = { destination_type: 'MySQL', destination_config: { database } } as const
    const before = await jobs.createExport({ ...destination, integration_id: made.id })
    const tlsOf = async (row: BatchExportRow) => {
      const { steps } = await tryDestination(jobs.services, row)
      return steps.find(({ name }) => name === 'TLS')?.detail
    }
    expect(await tlsOf(before)).toContain('is encrypted (require)')
    await updateRow(store, 'integrations', { id: made.id }, stored('verify-ca', other))
    expect(before.integration_config).toMatchObject({ ssl_mode: 'require' })
    expect(await tlsOf(before)).toContain('No secure connection')
    await updateRow(store, 'integrations', { id: made.id }, stored('verify-ca', own))
    expect(await tlsOf(before)).toContain('is encrypted (verify-ca)')
  })
})
