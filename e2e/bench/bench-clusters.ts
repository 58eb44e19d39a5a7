import { responseTime } from './response-time.ts'
import type { Figure } from './bench-figure.ts'
import { readConfig } from '../../src/service/config.ts'
import { openEngines } from '../../src/service/engines/engines.ts'
import type { Warehouse } from '../../src/service/engines/clickhouse/clickhouse.ts'
import { findErrorClusters } from '../../src/service/recordings/error-clusters.ts'
import { findSimilarPaths } from '../../src/service/recordings/similar/similar-sessions.ts'
import { createTables } from '../../src/service/warehouse/tables.ts'
import { keptData } from './kept-data.ts'

const entryCount = 1_000_000
const sessionCount = 100_000
const rounds = 15
/** Projects with all data, and with a hundredth of them. */
const teams = { many: 1, few: 2 }

const { dataDirectory } = await keptData('clusters', import.meta.filename, (folder) =>
  withWarehouse(folder, async (warehouse) => {
    await createTables(warehouse)
    await fill(warehouse, teams.many, 1)
    await fill(warehouse, teams.few, 0.01)
    return { sessionCount }
  }),
)
console.log(JSON.stringify(await withWarehouse(dataDirectory, figures)))

async function withWarehouse<Result>(
  folder: string,
  use: (warehouse: Warehouse) => Promise<Result>,
): Promise<Result> {
  const engines = await openEngines(readConfig({ SPOOL_DATA_DIR: folder, SPOOL_SAMPLE_DATA: 'off' }))
  try {
    return await use(engines.warehouse)
  } finally {
    await engines.stop()
  }
}

async function figures(warehouse: Warehouse): Promise<Figure[]> {
  const clock = { now: () => Date.now() }
  const figure = async (name: string, find: (team: number) => Promise<unknown>): Promise<Figure> => ({
    name,
    measured: await responseTime(rounds, 0.5, () => find(teams.many)),
    bound: 80,
    unit: 'ms',
    hundredth: await responseTime(rounds, 0.5, () => find(teams.few)),
  })
  return [
    await figure('error clusters of 1,000,000 console entries, median', (team) =>
      findErrorClusters({ warehouse, clock }, team),
    ),
    await figure('sessions similar to one of 100,000, median', (team) =>
      findSimilarPaths({ warehouse }, team, 'session-7'),
    ),
  ]
}

/** Inserts console entries, half of them errors of 2,000 kinds, and paths of sessions: `share` (0 to 1) of the full number. */
async function fill(warehouse: Warehouse, team: number, share: number): Promise<void> {
  const params = { team, entries: entryCount * share, sessions: sessionCount * share }

  await warehouse.command(
    `INSERT INTO console_entries (team_id, session_id, window_id, timestamp, level, message, item, position)
    SELECT {team: Int64}, concat('session-', toString(cityHash64(number) % {sessions: UInt64})), 'window',
      now64(3) - INTERVAL number % 2592000 SECOND, if(number % 2 = 0, 'error', 'log'),
      concat('TypeError: part ', char(97 + number % 25), char(97 + number % 80 % 26), ' of "', toString(number), '" at https://shop.example/a.js:', toString(number % 900), ':7'),
      generateUUIDv4(), 0
    FROM numbers({entries: UInt64})`,
    { params },
  )
  await warehouse.command(
    `INSERT INTO session_paths (team_id, session_id, steps, vector, updated_at)
    SELECT {team: Int64}, concat('session-', toString(number)),
      arrayMap(step -> concat('page /', toString(cityHash64(number, step) % 60)), range(8 + number % 20)),
      arrayMap(dimension -> toFloat32(cityHash64(number, dimension) % 2001) / 1000 - 1, range(128)), now64(3)
    FROM numbers({sessions: UInt64})`,
    { params },
  )
}
