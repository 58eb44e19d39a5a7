import { expect, test } from 'vitest'
import { valueIssues } from './value-issues.ts'
import type { DestinationType } from './destination.ts'

function issuesOf(config: Record<string, unknown>, type: DestinationType = 'S3') {
  return valueIssues(type, config).map(({ field, severity, message }) => `${field} ${severity}: ${message}`)
}

test('accepts usual values, and leaves missing ones and wrong types to the schema', () => {
  const prefix = '/events/{year}/{month}/{table}-{data_interval_start}'
  expect(issuesOf({ bucket_name: 'lake.eu-1', region: 'eu-central-1', prefix })).toEqual([])
  expect(issuesOf({ bucket_name: 'lake', endpoint_url: 'http://127.0.0.1:9000/store' })).toEqual([])
  expect(issuesOf({ path: 'events/{year}..{month}' }, 'File')).toEqual([])
  expect(issuesOf({ bucket_name: '', endpoint_url: null, prefix: 7 })).toEqual([])
})

test.each([
  ['s3://My Bucket!!', 'without s3://'],
  ['lake/events', 'folders belong in the prefix'],
  ['My-Bucket', '3 to 63'],
  ['my_bucket', '3 to 63'],
  ['ab', '3 to 63'],
  ['a'.repeat(64), '3 to 63'],
  ['lake-', '3 to 63'],
  ['a..b', '3 to 63'],
  ['127.0.0.1', '3 to 63'],
  ['xn--lake', '3 to 63'],
  [' lake', '3 to 63'],
])('S3 has no bucket named “%s”; another store may', (bucket_name, message) => {
  const error = [expect.stringMatching(/^bucket_name error: /)]
  expect(issuesOf({ bucket_name, region: 'eu-central-1' })).toEqual(error)
  expect(issuesOf({ bucket_name, region: 'eu-central-1' })[0]).toContain(message)
  const elsewhere = issuesOf({ bucket_name, region: 'us-east-1', endpoint_url: 'https://s3.example.com' })
  expect(elsewhere).toEqual([expect.stringMatching(/^bucket_name warning: /)])
})

test.each<[DestinationType, string, number]>([
  ['File', 'path', 1024],
  ['S3', 'prefix', 1024],
  ['S3', 'bucket_name', 255],
  ['S3', 'region', 255],
  ['S3', 'endpoint_url', 2000],
  ['S3', 'kms_key_id', 2000],
])('%s: %s has at most %i characters', (type, field, lengthMax) => {
  const error = `${field} error: Enter at most ${lengthMax.toLocaleString('en')} characters.`
  expect(issuesOf({ [field]: 'a'.repeat(lengthMax + 1) }, type)).toEqual([error])
  expect(issuesOf({ [field]: 'a'.repeat(lengthMax) }, type)).not.toContain(error)
})

test('us-east-1 has old buckets with other names', () => {
  expect(issuesOf({ bucket_name: 'My_Bucket', region: 'us-east-1' })).toEqual([
    'bucket_name warning: Only buckets created in us-east-1 before March 2018 can have this name.',
  ])
})

test.each([
  ['javascript:alert(1)', 'must start with https:// or http://'],
  ['ftp://s3.example.com', 'must start with https:// or http://'],
  ['s3.example.com', 'not a URL'],
  ['https://user:pass@s3.example.com', 'must not contain credentials'],
])('the endpoint %s is an error', (endpoint_url, message) => {
  expect(issuesOf({ endpoint_url })).toEqual([expect.stringContaining(message)])
})

test('warns about an unknown variable and a brace without its pair, and lists the variables', () => {
  const known =
    'The variables are {year}, {month}, {day}, {hour}, {minute}, {second}, {data_interval_start}, {data_interval_end}, {table}.'
  expect(issuesOf({ prefix: '{nope}/{year' })).toEqual([
    `prefix warning: {nope} is not a variable and stays as it is. ${known}`,
  ])
  expect(issuesOf({ path: 'a/{Year}' }, 'File')).toEqual([
    `path warning: {Year} is not a variable and stays as it is. ${known}`,
  ])
  expect(issuesOf({ prefix: 'a/{year' })).toEqual([
    `prefix warning: A variable is not closed with }, so it stays as it is. ${known}`,
  ])
})

test.each<[DestinationType, string, string, string]>([
  ['File', 'path', '../other', 'it leads out of the exports folder'],
  ['File', 'path', String.raw`a\b`, 'it contains a backslash; separate folders with /'],
  ['S3', 'prefix', 'a/../b', 'Many stores reject names that contain “..”.'],
  ['S3', 'prefix', 'ü'.repeat(128), 'names between slashes have at most 255 bytes'],
  ['S3', 'prefix', 'long/'.repeat(190), 'object keys have at most 1,024 bytes'],
])('%s: a %s that no file can have is an error: %s', (type, field, place, message) => {
  expect(issuesOf({ [field]: place }, type)).toEqual([`${field} error: ${message}`])
})

test('a region of Amazon S3 cannot name another host', () => {
  expect(issuesOf({ region: 'x.evil.example/' })).toEqual(['region error: it is not a region of Amazon S3'])
})

const endpoint_url = 'https://s3.example.com'
const hostLabel = /^region error: A region has at most 63 letters/
const ascii = /error: Enter only letters, digits and signs of ASCII/
const noControl = /^aws_secret_access_key error: Enter the key without line breaks/
const endpointSign = /^endpoint_url error: The endpoint URL must not contain white space/
const ipAddress = /^endpoint_url error: The bucket cannot be in front of an IP address/
const use_virtual_style_addressing = true
type Refused = [config: Record<string, unknown>, error: RegExp]
const refused: Refused[] = [
  ...['eu west', 'eu.west', 'EU_1', '東京', 'x/y', '-eu', 'eu-', 'x'.repeat(64)].map((region): Refused => [
    { region, endpoint_url },
    hostLabel,
  ]),
  ...['?a=1', '\\', '#x', ' ', '\n'].map((end): Refused => [
    { endpoint_url: endpoint_url + end },
    endpointSign,
  ]),
  [{ endpoint_url: ` ${endpoint_url}` }, endpointSign],
  [{ endpoint_url: 'http://192.0.2.1:9000', use_virtual_style_addressing }, ipAddress],
  [{ endpoint_url: 'http://[2001:db8::1]', use_virtual_style_addressing }, ipAddress],
  [{ kms_key_id: 'schlüssel' }, ascii],
  [{ aws_access_key_id: 'AKIA\n' }, ascii],
  [{ aws_secret_access_key: 'secret\n' }, noControl],
]
test.each(refused)('S3 clients can send nothing with %j', (config, error) => {
  expect(issuesOf(config)).toEqual([expect.stringMatching(error)])
})

test('other stores have regions of any name that a client can send', () => {
  for (const region of ['eu', 'EU-1', 'garage', '1'])
    expect(issuesOf({ region, endpoint_url, use_virtual_style_addressing })).toEqual([])
  expect(issuesOf({ endpoint_url: 'http://192.0.2.1:9000/store' })).toEqual([])
})
