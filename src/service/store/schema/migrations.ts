import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Statements that change the schema from that of the previous number; never changed once released. */
export type Migration = { number: number; statements: string }

const folder = join(import.meta.dirname, '../sql')

/** Files of the base schema, in the order in which they refer to each other. */
const base = [
  'installation',
  'accounts',
  'persons',
  'exports',
  'runs',
  'ledger',
  'window-days',
  'repair',
  'bulk',
  'recordings',
  'recorded-assets',
  'visits',
  'collections',
  'alerts',
]

/** Number of the base schema. Lower numbers belong to versions from before it, whose data cannot be read. */
const baseNumber = 100

/** Reads the base schema and the migrations after it, each in a file such as `101-add-owners.sql`, by number. */
export function readMigrations(): readonly Migration[] {
  const read = (file: string) => readFileSync(join(folder, file), 'utf8')
  const later = readdirSync(folder).filter((file) => /^\d+-/.test(file))
  return [
    { number: baseNumber, statements: base.map((topic) => read(`${topic}.sql`)).join('\n') },
    ...later.map((file) => ({ number: Number.parseInt(file, 10), statements: read(file) })),
  ].toSorted((one, other) => one.number - other.number)
}
