import { connectStore } from './connect-store.ts'
import type { RunningService } from './service.ts'

/** Moves the creation of an hourly export and the start of its pause to an earlier time. */
export async function beginPauseAt(service: RunningService, id: string, time: string): Promise<void> {
  const client = await connectStore(service)
  await client.query('UPDATE batch_export_pauses SET started_at = $2 WHERE batch_export_id = $1', [id, time])
  await client.query(
    `UPDATE batch_exports SET last_paused_at = $2, scheduled_until = date_trunc('hour', $2::timestamptz),
      created_at = $2::timestamptz - interval '1 day' WHERE id = $1`,
    [id, time],
  )
  // The stored states are from before these changes.
  await client.query('DELETE FROM batch_export_days WHERE batch_export_id = $1', [id])
  await client.end()
}
