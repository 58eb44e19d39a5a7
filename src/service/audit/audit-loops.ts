import type { Services } from '../services.ts'
import type { Loop } from '../start-loops.ts'
import { removeOldEntries } from './remove-old-entries.ts'
import { sealEntries } from './seal-entries.ts'
import { sendSeals } from './send-seals.ts'

const sealDelayMs = 5000
const sendDelayMs = 5000
const retentionDelayMs = 3_600_000

/** Seals, sends and, after its retention, deletes what is in the audit log. */
export function auditLoops(services: Services): Loop[] {
  return [
    {
      problem: 'failed to seal the audit log',
      work: async () => ((await sealEntries(services)) ? 0 : sealDelayMs),
    },
    {
      problem: 'failed to send the audit log',
      work: async (signal) => ((await sendSeals(services, signal)) ? 0 : sendDelayMs),
    },
    {
      problem: 'failed to delete old entries of the audit log',
      async work() {
        await removeOldEntries(services)
        return retentionDelayMs
      },
    },
  ]
}
