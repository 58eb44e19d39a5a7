/*
 * Rules for a destination's values that their types cannot express. Messages say how to correct the value.
 */

import type { DestinationType } from './destination.ts'
import { longestValues, pathProblem } from './object-path.ts'

type Config = Readonly<Record<string, unknown>>

/** An error prevents saving; a warning is only shown. */
export type ValueIssue = { field: string; severity: 'error' | 'warning'; message: string }

/**
 * Most characters of each text. S3 has the same limits for keys and for the names of its oldest buckets. Stored
 * destinations may have longer texts, from before these limits.
 */
const lengthsMax: Record<string, number> = {
  path: 1024,
  prefix: 1024,
  bucket_name: 255,
  region: 255,
  endpoint_url: 2000,
  kms_key_id: 2000,
  aws_access_key_id: 2000,
  aws_secret_access_key: 2000,
}

/** Returns the issues of a destination's values; missing values and those of the wrong type have none. */
export function valueIssues(type: string, config: Config): ValueIssue[] {
  const text = (field: string) => {
    const value = config[field]
    return typeof value === 'string' ? value : ''
  }
  const tooLong = Object.entries(lengthsMax).filter(([field, lengthMax]) => text(field).length > lengthMax)
  if (tooLong.length > 0)
    return tooLong.map(([field, lengthMax]) => ({
      field,
      severity: 'error',
      message: `Enter at most ${lengthMax.toLocaleString('en')} characters.`,
    }))
  const issue = (field: string, severity: ValueIssue['severity'], message: string | null): ValueIssue[] =>
    message === null || text(field) === '' ? [] : [{ field, severity, message }]
  const hasBlocks = config['include_blocks'] === true
  const pathIssues = (kind: DestinationType, field: 'path' | 'prefix') => [
    ...issue(field, 'error', pathProblem(kind, text(field), hasBlocks)),
    ...issue(field, 'warning', variableWarning(text(field))),
  ]
  if (type === 'File') return pathIssues('File', 'path')
  const endpoint = text('endpoint_url')
  return [
    ...issue('bucket_name', ...bucketIssue(text('bucket_name'), text('region'), endpoint)),
    ...issue(
      'region',
      'error',
      (endpoint === '' ? regionError(text('region')) : null) ?? labelError(text('region')),
    ),
    ...pathIssues('S3', 'prefix'),
    ...issue('endpoint_url', 'error', endpointError(endpoint) ?? requestError(endpoint, config)),
    ...issue('kms_key_id', 'error', asciiError(text('kms_key_id'))),
    ...issue('aws_access_key_id', 'error', asciiError(text('aws_access_key_id'))),
    ...issue('aws_secret_access_key', 'error', controlError(text('aws_secret_access_key'))),
  ]
}

/** Names of general purpose buckets: https://docs.aws.amazon.com/AmazonS3/latest/userguide/bucketnamingrules.html */
const bucketName =
  /^(?!xn--|sthree-|amzn-s3-demo-)(?!.*\.\.)(?!\d+\.\d+\.\d+\.\d+$)[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/
/** Names that us-east-1 accepted until March 2018. */
const oldBucketName = /^[\w.-]{3,255}$/

function bucketIssue(
  name: string,
  region: string,
  endpoint: string,
): [ValueIssue['severity'], string | null] {
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
function requestError(endpoint: string, config: Config): string | null {
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
function asciiError(text: string): string | null {
  return /^[!-~]*$/.test(text)
    ? null
    : 'Enter only letters, digits and signs of ASCII, without spaces and line breaks.'
}

function controlError(text: string): string | null {
  return /\p{Cc}/u.test(text) ? 'Enter the key without line breaks, tabs and other control characters.' : null
}

/** Returns why a text cannot be a region of Amazon S3, or null. A region becomes part of a host name. */
export function regionError(region: string): string | null {
  return /^[a-z0-9-]{1,50}$/.test(region) ? null : 'it is not a region of Amazon S3'
}

function variableWarning(text: string): string | null {
  const named = [...text.matchAll(/\{([^{}]*)\}/g)].map(([, name = '']) => name)
  const variables = Object.keys(longestValues)
  const unknown = named.find((name) => !variables.includes(name))
  const known = `The variables are ${variables.map((name) => `{${name}}`).join(', ')}.`
  if (unknown !== undefined) return `{${unknown}} is not a variable and stays as it is. ${known}`
  const unpaired = /[{}]/.exec(text.replaceAll(/\{[^{}]*\}/g, ''))?.[0]
  if (unpaired === undefined) return null
  return `${unpaired === '{' ? 'A variable is not closed with }' : 'There is a } without {'}, so it stays as it is. ${known}`
}
