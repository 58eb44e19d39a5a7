import { preparedRowsOf, type Store } from './database.ts'

/** Returns the number that the table `installation` has under a name; 0 if it has none. */
export async function installationNumber(store: Store, name: string): Promise<number> {
  const [row] = await preparedRowsOf<{ value: string }>(store)`
    SELECT value FROM installation WHERE name = ${name}`
  return Number(row?.value ?? 0)
}
