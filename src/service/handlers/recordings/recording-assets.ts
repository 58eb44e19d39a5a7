import { formatInstant } from '../../../contract/instant.ts'
import type { RecordedAssets } from '../../../contract/recorded-asset.ts'
import { assetExpiry, assetPath } from '../../recordings/assets/asset-path.ts'
import { countMissing, listAssets } from '../../store/recording-assets.ts'
import type { ApiRequest } from '../handler.ts'

type Request = Pick<ApiRequest<'assetsOfSessionRecording'>, 'services' | 'recording'>

export async function assetsOfSessionRecording({ services, recording }: Request): Promise<RecordedAssets> {
  const { store, secrets, clock } = services
  const expiry = assetExpiry(clock.now())
  const rows = await listAssets(store, recording.id)
  const results = rows
    .filter(({ hash, reason }) => hash !== null || reason !== null)
    .map(({ id, project_id, hash, url, content_type, reason }) => ({
      url,
      path: hash && assetPath(secrets, { id, project_id, hash }, expiry),
      content_type,
      reason,
    }))
  const missing = await countMissing(store, recording.id)
  return { results, missing, pending: rows.length - results.length, expires_at: formatInstant(expiry) }
}
