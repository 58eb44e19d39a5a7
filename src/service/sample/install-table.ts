import { randomBytes } from 'node:crypto'
import { Client } from 'pg'
import { integrationKinds } from '../../contract/integrations/integration-kinds.ts'
import type { Postgres } from '../engines/postgres/postgres.ts'
import type { Services } from '../services.ts'
import { findRow, insertRow, updateRows } from '../store/schema/rows.ts'
import { insertSampleExport, readMarker, writeMarker } from './install-sample.ts'

/** Database, role and connection of the sample's table. */
const name = 'sample_warehouse'
const connectionName = 'Sample warehouse'

/**
 * Adds an export of the sample's customers to a table in the embedded PostgreSQL: a database and a role of its own, which has no
 * right on the tables of the service. On later starts, keeps the port of its connection current.
 */
export async function installSampleTable(services: Services, postgres: Postgres): Promise<void> {
  const { store, secrets, clock } = services
  const marker = await store.transaction().execute(readMarker)
  if (!marker?.hasRecordings) return
  const { port } = new URL(postgres.url)
  const { project } = marker
  const config = {
    name: connectionName,
    host: '127.0.0.1',
    port: Number(port),
    user: name,
    ssl_mode: 'require',
  }
  const { kind, address } = {
    kind: 'postgresql' as const,
    address: integrationKinds.postgresql.addressOf(config),
  }
  if (marker.tableConnection !== undefined) {
    const stored = await findRow(store, 'integrations', { id: marker.tableConnection })
    // Its user may have rotated it to another server.
    if (stored?.config['user'] !== name || stored.config['host'] !== config.host) return
    if (stored.address === address) return
    await updateRows(
      store,
      'integrations',
      { id: stored.id },
      { config: { ...stored.config, port: config.port }, address },
    )
    return
  }
  const password = randomBytes(18).toString('base64url')
  await createWarehouse(postgres, password)
  await store.transaction().execute(async (transaction) => {
    const current = await readMarker(transaction)
    if (!current || current.tableConnection !== undefined) return
    const connection = await insertRow(transaction, 'integrations', {
      project_id: project,
      kind,
      name: connectionName,
      address,
      config,
      secrets: secrets.seal(JSON.stringify({ password })),
      created_by: null,
      created_at: new Date(clock.now()),
      last_worked_at: null,
      last_failed_at: null,
      last_error: null,
    })
    await insertSampleExport(services, transaction, current, {
      name: 'Customers in the warehouse',
      model: 'persons',
      interval: 'day',
      config: { path: '' },
      destination: {
        destination_type: 'Postgres',
        destination_config: { database: name, table_name: 'customers' },
        integration_id: connection.id,
      },
      windowsBack: 7,
    })
    await writeMarker(transaction, { ...current, tableConnection: connection.id })
  })
}

/** Creates the role and its database, or gives an earlier role of an interrupted start this password. */
async function createWarehouse(postgres: Postgres, password: string): Promise<void> {
  const client = new Client({ connectionString: postgres.url })
  client.on('error', () => undefined)
  await client.connect()
  try {
    const known = await client.query('SELECT FROM pg_roles WHERE rolname = $1', [name])
    const verb = known.rowCount === 0 ? 'CREATE' : 'ALTER'
    await client.query(
      `${verb} ROLE ${name} LOGIN CONNECTION LIMIT 10 PASSWORD ${client.escapeLiteral(password)}`,
    )
    const found = await client.query('SELECT FROM pg_database WHERE datname = $1', [name])
    if (found.rowCount === 0) await client.query(`CREATE DATABASE ${name} OWNER ${name}`)
    // By default, every role may connect to every database.
    const own = client.escapeIdentifier(client.database ?? '')
    await client.query(`REVOKE CONNECT ON DATABASE ${own} FROM PUBLIC`)
  } finally {
    await client.end()
  }
}
