import { z } from 'zod'
import { PlainText } from '../plain-text.ts'
import type { DestinationConfig, DestinationKind, Severity } from './destination-kind.ts'
import { bucketSteps } from './destination-test.ts'
import { comparableAddress } from './comparable-address.ts'
import { fileFields } from './destination.ts'
import { bytesOf, longestKey, longNameProblem, variableWarning } from './object-path.ts'

export const S3Config = z.strictObject({
  bucket_name: PlainText.min(1),
  region: PlainText.min(1),
  prefix: PlainText.optional(),
  aws_access_key_id: z.string().min(1),
  aws_secret_access_key: z.string().min(1),
  endpoint_url: PlainText.nullable().optional(),
  encryption: z.enum(['AES256', 'aws:kms']).nullable().optional(),
  kms_key_id: PlainText.nullable().optional(),
  use_virtual_style_addressing: z.boolean().optional(),
  ...fileFields,
})
export type S3Config = z.infer<typeof S3Config>

/** A bucket at Amazon, or in a store with the same interface. */
export const s3: DestinationKind<typeof S3Config> = {
  config: S3Config,
  secrets: ['aws_access_key_id', 'aws_secret_access_key'],
  // S3 has the same limits for keys and for the names of its oldest buckets.
  lengthsMax: {
    prefix: 1024,
    bucket_name: 255,
    region: 255,
    endpoint_url: 2000,
    kms_key_id: 2000,
    aws_access_key_id: 2000,
    aws_secret_access_key: 2000,
  },
  rules(config, text) {
    const [endpoint, region, prefix] = [text('endpoint_url'), text('region'), text('prefix')]
    return [
      ['bucket_name', ...bucketIssue(text('bucket_name'), region, endpoint)],
      ['region', 'error', (endpoint === '' ? regionError(region) : null) ?? labelError(region)],
      ['prefix', 'error', prefixProblem(prefix, config['include_blocks'] === true)],
      ['prefix', 'warning', variableWarning(prefix)],
      ['endpoint_url', 'error', endpointError(endpoint) ?? requestError(endpoint, config)],
      ['kms_key_id', 'error', asciiError(text('kms_key_id'))],
      ['aws_access_key_id', 'error', asciiError(text('aws_access_key_id'))],
      ['aws_secret_access_key', 'error', controlError(text('aws_secret_access_key'))],
    ]
  },
  holds: 'files',
  integration: null,
  isOnDisk: false,
  steps: bucketSteps,
  container: { noun: 'bucket', field: 'bucket_name' },
  folderField: 'prefix',
  changesTo: { File: { keeps: false }, AwsS3: { keeps: true }, S3Compatible: { keeps: true } },
  placeOf(text) {
    const endpoint = text('endpoint_url')
    return {
      store: endpoint || `Amazon S3 in ${text('region')}`,
      bucket: `s3://${text('bucket_name')}${endpoint && ` at ${endpoint}`}`,
    }
  },
  addressOf({ endpoint_url, region, bucket_name, use_virtual_style_addressing }) {
    const endpoint = comparableAddress(endpoint_url)
    if (endpoint === '')
      return typeof region === 'string' && region.startsWith('cn-') ? 'Amazon China' : 'Amazon'
    // The bucket counts if it is part of a host that is not Amazon's.
    const isInHost = use_virtual_style_addressing === true && !amazonEndpoint.test(endpoint)
    return isInHost ? `${endpoint} ${String(bucket_name)}` : endpoint
  },
}

/** Amazon's own endpoints; the hosts of its customers' computers have other names. */
const amazonEndpoint = /^https?:\/\/s3[.-][a-z0-9.-]*amazonaws\.com(\.cn)?(:\d+)?$/

const keyBytesMax = 1024

/** Returns why no object can have this key, or null. */
export function s3KeyProblem(key: string): string | null {
  return bytesOf(key) > keyBytesMax ? 'object keys have at most 1,024 bytes' : null
}

function prefixProblem(prefix: string, includesBlocks: boolean): string | null {
  const key = longestKey(prefix, includesBlocks)
  if (key.split('/').includes('..')) return 'Many stores reject names that contain “..”.'
  return s3KeyProblem(key) ?? longNameProblem(key)
}

/** Names of general purpose buckets: https://docs.aws.amazon.com/AmazonS3/latest/userguide/bucketnamingrules.html */
const bucketName =
  /^(?!xn--|sthree-|amzn-s3-demo-)(?!.*\.\.)(?!\d+\.\d+\.\d+\.\d+$)[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/
/** Names that us-east-1 accepted until March 2018. */
const oldBucketName = /^[\w.-]{3,255}$/

function bucketIssue(name: string, region: string, endpoint: string): [Severity, string | null] {
  if (bucketName.test(name)) return ['error', null]
  if (name.includes('://'))
    return [endpoint ? 'warning' : 'error', 'Enter only the bucket’s name, without s3://.']
  if (endpoint)
    return ['warning', 'AWS has no bucket with such a name. Other stores may accept it: test the connection.']
  if (region === 'us-east-1' && oldBucketName.test(name))
    return ['warning', 'Only buckets created in us-east-1 before March 2018 can have this name.']
  if (name.includes('/')) return ['error', 'Enter only the bucket’s name; folders belong in the prefix.']
  return [
    'error',
    'A bucket’s name has 3 to 63 lower-case letters, digits, dots and hyphens, and begins and ends with a letter or digit.',
  ]
}

/** Returns why an endpoint URL is not valid, or null. */
export function endpointError(endpoint: string): string | null {
  if (!URL.canParse(endpoint)) return 'The endpoint is not a URL: enter one like https://s3.example.com.'
  const { protocol, username, password } = new URL(endpoint)
  if (protocol !== 'https:' && protocol !== 'http:')
    return 'The endpoint URL must start with https:// or http://.'
  if (username || password)
    return 'The endpoint URL must not contain credentials: enter them in their own fields.'
  return null
}

/** Returns why no request can be sent to an endpoint that is a URL, or null. */
export function requestError(endpoint: string, config: DestinationConfig): string | null {
  if (/[\s\\?#]/.test(endpoint))
    return 'The endpoint URL must not contain white space, ?, # or \\: enter only the host, and the path if the store has one.'
  // ClickHouse takes the first part of the path for the bucket.
  if (/^https?:\/\/[^/]+\/[^/]{1,2}(\/|$)/i.test(endpoint))
    return 'The first part of the endpoint’s path needs at least 3 characters: no bucket has a shorter name.'
  const isIpAddress = /^[\d.]+$|^\[/.test(new URL(endpoint).hostname)
  if (isIpAddress && config['use_virtual_style_addressing'] === true)
    return 'The bucket cannot be in front of an IP address: enter the name of the host, or turn virtual-hosted addresses off.'
  return null
}

/** Returns why S3 clients refuse a region, or null. */
function labelError(region: string): string | null {
  return /^(?!-)[a-zA-Z0-9-]{1,63}(?<!-)$/.test(region)
    ? null
    : 'A region has at most 63 letters, digits and hyphens, and does not begin or end with a hyphen. If the store has no regions, enter us-east-1.'
}

/** Returns why a text cannot be part of a request's headers, or null. */
export function asciiError(text: string): string | null {
  return /^[!-~]*$/.test(text)
    ? null
    : 'Enter only letters, digits and signs of ASCII, without spaces and line breaks.'
}

export function controlError(text: string): string | null {
  return /\p{Cc}/u.test(text) ? 'Enter the key without line breaks, tabs and other control characters.' : null
}

/** Returns why a text cannot be a region of Amazon S3, or null. A region becomes part of a host name. */
export function regionError(region: string): string | null {
  return /^[a-z0-9-]{1,50}$/.test(region) ? null : 'it is not a region of Amazon S3'
}
