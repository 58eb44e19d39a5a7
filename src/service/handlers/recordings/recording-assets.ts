import { formatInstant } from '../../../contract/instant.ts'
import type { RecordedAssets } from '../../../contract/recordings/recorded-asset.ts'
import { assetExpiry, assetPath } from '../../recordings/assets/asset-path.ts'
import { countMissing, listAssets, type ListedAsset } from '../../store/recordings/recording-assets.ts'
import type { ApiRequest } from '../handler.ts'

type Request = Pick<ApiRequest<'assetsOfSessionRecording'>, 'services' | 'recording'>

/** Lists a recording's files, all or those that `isShown` selects. */
export async function assetsOfSessionRecording(
  { services, recording }: Request,
  isShown?: (row: ListedAsset) => boolean,
): Promise<RecordedAssets> {
  const { store, secrets, clock } = services
  const expiry = assetExpiry(clock.now())
  const all = await listAssets(store, recording.id)
  const rows = isShown ? all.filter(isShown) : all
  const results = rows
    .filter(({ hash, reason }) => hash !== null || reason !== null)
    .map(({ id, project_id, hash, url, content_type, reason }) => ({
      url,
      path: hash && assetPath(secrets, { id, project_id, hash }, expiry),
      content_type,
      reason,
    }))
  const missing = isShown ? missingIn(rows) : await countMissing(store, recording.id)
  return { results, missing, pending: rows.length - results.length, expires_at: formatInstant(expiry) }
}

function missingIn(rows: readonly ListedAsset[]): RecordedAssets['missing'] {
  const reasons = Map.groupBy(
    rows.flatMap(({ reason }) => reason ?? []),
    (reason) => reason,
  )
  return Array.from(reasons, ([reason, { length: count }]) => ({ reason, count }))
}
