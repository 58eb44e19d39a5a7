import { rowsOf, type Store } from '../schema/database.ts'

export type RateCount = { name: string; count: number }

/** Adds to the counts of a minute (since the epoch), and returns the totals of all processes. */
export async function addRateCounts(store: Store, minute: number, counts: readonly RateCount[]) {
  const names = counts.map(({ name }) => name)
  const added = counts.map(({ count }) => count)
  return await rowsOf<RateCount>(store)`INSERT INTO rate_counts (minute, name, count)
    SELECT ${minute}, name, count FROM unnest(${names}::text[], ${added}::bigint[]) AS added (name, count) ORDER BY name
    ON CONFLICT (minute, name) DO UPDATE SET count = rate_counts.count + excluded.count
    RETURNING name, count`
}

export async function deleteRateCounts(store: Store, beforeMinute: number): Promise<void> {
  await store.deleteFrom('rate_counts').where('minute', '<', beforeMinute).execute()
}
