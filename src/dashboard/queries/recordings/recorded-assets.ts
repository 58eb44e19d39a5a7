import { queryOptions } from '@tanstack/react-query'
import type { RecordedAssets } from '../../../contract/recordings/recorded-asset.ts'
import { call } from '../../api/call.ts'
import { renewalDelay } from '../../api/renewal-delay.ts'
import { live } from '../live.ts'
import { paramsOf, type SnapshotsOf } from './snapshots.ts'

/** The files that a recording shows but does not hold; polled while some are being fetched and before the paths expire. */
export function recordedAssetsQuery(of: SnapshotsOf) {
  return queryOptions({
    queryKey: ['assetsOfSessionRecording', of] as const,
    queryFn: ({ signal }) => call('assetsOfSessionRecording', { params: paramsOf(of) }, { signal }),
    ...live(({ pending }: RecordedAssets) => (pending > 0 ? 'running' : 'settled')),
    refetchInterval: ({ state: { data } }) => renewalDelay(data?.expires_at, Date.now()),
  })
}
