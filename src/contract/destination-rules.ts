/*
 * Rules for a destination's values that their types cannot express. Messages say how to correct the value.
 */

type Config = Readonly<Record<string, unknown>>

/** An error prevents saving; a warning is only shown. */
export type ValueIssue = { field: string; severity: 'error' | 'warning'; message: string }

/** Variables that are replaced in a prefix or path; times are those of the interval's end in UTC. */
export const prefixVariables = [
  'year',
  'month',
  'day',
  'hour',
  'minute',
  'second',
  'data_interval_start',
  'data_interval_end',
  'table',
] as const

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
  if (type === 'File')
    return [
      ...issue('path', 'error', leavesFolder(text('path')) ? 'it leads out of the exports folder' : null),
      ...issue('path', 'warning', variableWarning(text('path'))),
    ]
  const endpoint = text('endpoint_url')
  return [
    ...issue('bucket_name', ...bucketIssue(text('bucket_name'), text('region'), endpoint)),
    ...issue('prefix', 'warning', prefixWarning(text('prefix'))),
    ...issue('endpoint_url', 'error', endpointError(endpoint)),
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

function prefixWarning(prefix: string): string | null {
  if (leavesFolder(prefix)) return 'Many stores reject names that contain “..”.'
  return variableWarning(prefix)
}

function leavesFolder(path: string): boolean {
  return path.split(/[\\/]/).includes('..')
}

function variableWarning(text: string): string | null {
  const named = [...text.matchAll(/\{([^{}]*)\}/g)].map(([, name = '']) => name)
  const unknown = named.find((name) => !prefixVariables.some((known) => known === name))
  const known = `The variables are ${prefixVariables.map((name) => `{${name}}`).join(', ')}.`
  if (unknown !== undefined) return `{${unknown}} is not a variable and stays as it is. ${known}`
  const unpaired = /[{}]/.exec(text.replaceAll(/\{[^{}]*\}/g, ''))?.[0]
  if (unpaired === undefined) return null
  return `${unpaired === '{' ? 'A variable is not closed with }' : 'There is a } without {'}, so it stays as it is. ${known}`
}
