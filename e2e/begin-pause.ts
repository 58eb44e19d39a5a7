import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Client } from 'pg'
import type { RunningService } from './service.ts'

/** Moves the creation of an hourly export and the start of its pause to an earlier time. */
export async function beginPauseAt(
  { dataDirectory }: RunningService,
  id: string,
  time: string,
): Promise<void> {
  const { url } = JSON.parse(await readFile(join(dataDirectory, 'postgres.json'), 'utf8'))
  const client = new Client(url)
  await client.connect()
  await client.query('UPDATE batch_export_pauses SET started_at = $2 WHERE batch_export_id = $1', [id, time])
  await client.query(
    `UPDATE batch_exports SET last_paused_at = $2, scheduled_until = date_trunc('hour', $2::timestamptz),
      created_at = $2::timestamptz - interval '1 day' WHERE id = $1`,
    [id, time],
  )
  await client.end()
}
