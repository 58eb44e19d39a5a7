import { adaptCss } from '../../../replay/recorded/adapt-css.ts'
import { contrastQuery, withContrast } from '../../../replay/recorded/adapted-css.ts'
import type { Contrast } from '../../../replay/recorded/page-state.ts'
import { assetUrl } from '../../../replay/recorded/asset-url.ts'
import { rewriteCss } from '../../../replay/recorded/css-references.ts'
import { notFound, permissionDenied } from '../../problems/api-error.ts'
import type { Services } from '../../services.ts'
import { findStoredAsset, listAssets, type StoredAsset } from '../../store/recordings/recording-assets.ts'
import { assetKey } from './asset-key.ts'
import { assetPath, readAssetPath } from './asset-path.ts'
import { stylesheetType } from './asset-type.ts'
import { referencesMax } from './reference-finder.ts'

/** Reference to a missing file, for which a browser sends no request. */
const emptyFile = 'data:,'

/**
 * Returns the file behind a signed path; a style sheet shows a visitor's contrast.
 * @throws ApiError 403 if the path has expired, 404 if it was never signed or the file has been deleted.
 */
export async function openAsset(services: Services, signed: string, contrast: Contrast) {
  const { store, secrets, objects, clock } = services
  const path = readAssetPath(signed)
  const asset = path && (await findStoredAsset(store, path.id))
  if (!asset || !path.isSigned(secrets, asset)) throw notFound('There is no file at this address.')
  const { hash, content_type, project_id } = asset
  const { expiry } = path
  if (expiry <= clock.now())
    throw permissionDenied("This address has expired. Request the recording's list of assets again.")
  const bytes = await objects.get(assetKey(project_id, hash))
  if (!bytes) throw notFound('The file has been deleted.')
  const content =
    content_type === stylesheetType ? await localCss(services, asset, bytes, expiry, contrast) : bytes
  return { hash: hash.toString('hex'), contentType: content_type, content, expiry }
}

/**
 * Adapts a style sheet to the replay, and replaces its references with signed paths that expire when the style sheet's
 * path does.
 */
async function localCss(
  { store, secrets }: Services,
  { recording_id, url, final_url }: StoredAsset,
  bytes: Buffer,
  expiry: number,
  contrast: Contrast,
) {
  const paths = new Map<string, string>()
  for (const { id, project_id, hash, url, content_type } of await listAssets(store, recording_id)) {
    const query = content_type === stylesheetType ? contrastQuery(contrast) : ''
    if (hash) paths.set(url, assetPath(secrets, { id, project_id, hash }, expiry) + query)
  }
  // A style sheet can repeat a short reference a hundred thousand times.
  const resolved = new Map<string, string>()
  const resolve = (reference: string): string => {
    if (resolved.size >= referencesMax) return emptyFile
    const path = paths.get(assetUrl(reference, final_url ?? url) ?? '') ?? emptyFile
    resolved.set(reference, path)
    return path
  }
  return rewriteCss(withContrast(adaptCss(bytes.toString('utf8')), contrast), (reference) =>
    /^\s*(#|data:)/i.test(reference) ? null : (resolved.get(reference) ?? resolve(reference)),
  )
}
