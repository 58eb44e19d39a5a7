import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../../../..')

/** Returns the files, tests and their helpers left out, with statements that write a table. */
function writersOf(table: string): string[] {
  const kysely = String.raw`(insertInto|insertRow|insertUpTo|updateTable|updateRows?|deleteFrom|deleteRows|mergeInto)\((\s*[\w.]+,)?\s*['"]${table}['"]`
  const text = String.raw`(INSERT\s+INTO|UPDATE|DELETE\s+FROM|MERGE\s+INTO|TRUNCATE|COPY)\s+(ONLY\s+)?${table}\b`
  const writes = new RegExp(`${kysely}|${text}`, 'i')
  return globSync('src/service/**/*.ts', { cwd: root })
    .filter((file) => !/\.test\.ts$|^src\/service\/testing\/|\/migrations\.ts$/.test(file))
    .filter((file) => writes.test(readFileSync(join(root, file), 'utf8')))
    .toSorted()
}

const folder = 'src/service/store/runs/'

test('only one file of store/runs writes runs', () => {
  expect(writersOf('batch_export_runs')).toEqual([`${folder}write-runs.ts`])
})

test('only functions that note the changed days write what the states of windows follow from', () => {
  expect(writersOf('batch_exports')).toEqual([
    'src/service/runs/repeated-failures.ts',
    'src/service/runs/restore-export.ts',
    `${folder}batch-exports.ts`,
  ])
  expect(writersOf('batch_export_pauses')).toEqual([
    'src/service/background/end-pauses.ts',
    'src/service/runs/undo-pause.ts',
  ])
  // An erasure is a flag of an entry: no state follows from it.
  expect(writersOf('batch_export_ledger')).toEqual([
    'src/service/store/privacy/erased-windows.ts',
    'src/service/store/windows/ledger.ts',
    'src/service/store/windows/verifications.ts',
  ])
})
