import { queryOptions } from '@tanstack/react-query'
import type { RecordedAssets } from '../../contract/recorded-asset.ts'
import { call } from '../api/call.ts'
import { live } from './live.ts'
import { snapshotRequest, type SnapshotsOf } from './snapshots.ts'

/** Bounds (ms) of the time after which new paths are requested; the clocks of browser and service may differ. */
const renewalMs = { min: 60_000, max: 8 * 60_000 }

/** The files that a recording shows but does not hold; polled while some are being fetched and before the paths expire. */
export function recordedAssetsQuery(of: SnapshotsOf) {
  return queryOptions({
    queryKey: ['assetsOfSessionRecording', of] as const,
    queryFn: ({ signal }) => {
      const { params, query, options } = snapshotRequest(of)
      return call('assetsOfSessionRecording', { params, query }, { signal, ...options })
    },
    ...live(({ pending }: RecordedAssets) => (pending > 0 ? 'running' : 'settled')),
    refetchInterval: ({ state: { data } }) => renewalDelay(data?.expires_at, Date.now()),
  })
}

/** Returns the delay (ms) after which new paths are requested: a minute before the current ones expire. */
export function renewalDelay(expiresAt: string | undefined, now: number): number {
  const left = expiresAt === undefined ? 0 : Date.parse(expiresAt) - now - renewalMs.min
  return Math.min(Math.max(renewalMs.min, left), renewalMs.max)
}
