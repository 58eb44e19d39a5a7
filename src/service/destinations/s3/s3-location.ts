import { regionError, type S3Config } from '../../../contract/destinations/s3.ts'
import { ExportError } from '../../problems/export-error.ts'
import { partPlaceholder } from '../file-key.ts'

/** Returns the URL to which ClickHouse writes an object; a part's placeholder is not encoded. */
export function objectUrl(config: S3Config, key: string): string {
  const path = key.split('/').map(encodeURIComponent).join('/')
  const url = bucketUrl(config)
  return `${url}/${path.replace(encodeURIComponent(partPlaceholder), partPlaceholder)}`
}

/** Returns the store's endpoint without a trailing slash. */
export function endpointUrl(config: S3Config): string {
  if (config.endpoint_url) return config.endpoint_url.replace(/\/+$/, '')
  if (regionError(config.region) !== null)
    throw new ExportError(
      `"${config.region.slice(0, 50)}" is not a region of Amazon S3: change the destination's region.`,
      true,
    )
  const suffix = config.region.startsWith('cn-') ? '.cn' : ''
  return `https://s3.${config.region}.amazonaws.com${suffix}`
}

/**
 * Returns whether the bucket is part of the host name. By default it is on Amazon, unless a dot in the bucket's name
 * would invalidate the certificate; other stores expect it in the path.
 */
export function usesVirtualStyle(config: S3Config): boolean {
  return config.use_virtual_style_addressing ?? (!config.endpoint_url && !config.bucket_name.includes('.'))
}

function bucketUrl(config: S3Config): string {
  const endpoint = endpointUrl(config)
  const bucket = encodeURIComponent(config.bucket_name)
  return usesVirtualStyle(config) ? endpoint.replace('://', `://${bucket}.`) : `${endpoint}/${bucket}`
}
