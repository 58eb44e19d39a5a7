import type { Services } from '../services.ts'

/** Marks every worker as dead. Only correct if this process is the only one and has just started. */
export async function takeOverAll({ store }: Pick<Services, 'store'>): Promise<void> {
  await store
    .updateTable('batch_export_runs')
    .set({ heartbeat_at: new Date(0) })
    .where('status', '=', 'Running')
    .execute()
}
