import { ClickHouseError } from '@clickhouse/client'
import { expect, test } from 'vitest'
import { failureCause, type FailureClass } from '../../contract/runs/failure-cause.ts'
import { explainError, type ExplainedExport } from './explain-error.ts'
import { fileDriver } from './folder/file-driver.ts'
import { s3Driver } from './s3/s3-driver.ts'
import { ExportError } from '../problems/export-error.ts'

const config = {
  bucket_name: 'shop',
  region: 'us-east-1',
  endpoint_url: 'https://s3.example.com',
  aws_access_key_id: 'AKIASECRET',
  aws_secret_access_key: 'very/secret',
}
const target = { ...s3Driver.open(config).explained, hasQuery: false }
const folder = { ...fileDriver.open({ path: 'orders' }).explained, hasQuery: false }

function clickhouse(type: string, message: string) {
  return new ClickHouseError({ message, code: '499', type })
}

function nodeError(code: string, message = '') {
  return Object.assign(new Error(`${code}: ${message}`), { code })
}

test.each<[unknown, boolean, string, ExplainedExport?]>([
  [
    clickhouse('S3_ERROR', 'Message: The specified bucket does not exist, bucket shop'),
    true,
    'There is no bucket "shop" at https://s3.example.com',
  ],
  [
    clickhouse('S3_ERROR', 'Message: Access Denied, bucket shop'),
    true,
    'Writing to the bucket "shop" was denied',
  ],
  [
    clickhouse('S3_ERROR', 'The AWS Access Key Id you provided does not exist in our records'),
    true,
    'does not know the access key',
  ],
  [
    clickhouse('S3_ERROR', 'The request signature we calculated does not match the signature you provided'),
    true,
    'secret access key',
  ],
  [
    clickhouse('S3_ERROR', "The authorization header is malformed; the region 'a' is wrong; expecting 'b'"),
    true,
    'The bucket "shop" is in another region',
  ],
  [
    clickhouse('S3_ERROR', 'Message: The host intranet is not on the public internet.'),
    true,
    'https://s3.example.com redirects to a private network',
  ],
  [clickhouse('S3_ERROR', 'Connection refused'), false, 'refused the connection'],
  [clickhouse('DNS_ERROR', 'Not found address of host: x'), false, 'was not found'],
  [clickhouse('S3_ERROR', 'error:0A00010B:SSL routines::wrong version number'), true, 'No secure connection'],
  [
    clickhouse('S3_ERROR', 'Message: Please reduce your request rate., bucket shop'),
    false,
    'too many requests',
  ],
  [
    clickhouse('S3_ERROR', 'Message: We encountered an internal error. Please try again., bucket shop'),
    false,
    'is not available at the moment: check that it works and has free space',
  ],
  // MinIO, Ceph, Garage and Backblaze B2.
  [clickhouse('S3_ERROR', 'Unable to parse ExceptionName: XMinioStorageFull'), false, 'is full'],
  [clickhouse('S3_ERROR', 'Unable to parse ExceptionName: XMinioAdminBucketQuotaExceeded'), false, 'is full'],
  [clickhouse('S3_ERROR', 'Message: cause(no space left on device), bucket shop'), false, 'store at'],
  [nodeError('QuotaExceeded', '403'), false, 'is full'],
  [nodeError('AccessDenied', 'Forbidden: Bucket size quota is reached'), false, 'is full'],
  [nodeError('AccessDenied', 'Cannot upload files, storage cap exceeded.'), false, 'is full'],
  [clickhouse('S3_ERROR', 'Message: , bucket shop, key a'), false, "an error that is not S3's"],
  [clickhouse('S3_ERROR', 'Timeout: connect timed out'), false, 'did not respond in time'],
  [clickhouse('MEMORY_LIMIT_EXCEEDED', 'Query memory limit exceeded'), false, 'more memory'],
  [clickhouse('QUERY_WAS_CANCELLED', 'Query was cancelled.'), false, 'was stopped'],
  [
    clickhouse('CANNOT_WRITE_TO_FILE_DESCRIPTOR', 'errno: 28, strerror: No space left on device'),
    false,
    'The disk is full',
  ],
  [nodeError('ENOSPC'), false, 'The disk is full'],
  [nodeError('ENOSPC'), false, 'The disk is full', folder],
  [nodeError('EACCES'), true, 'not allowed to write there', folder],
  [nodeError('ENAMETOOLONG'), true, 'Change the path', folder],
  [nodeError('ECONNRESET'), false, 'was lost'],
  [clickhouse('S3_ERROR', 'SSL connection unexpectedly closed'), false, 'was lost'],
  [new ExportError('Already explained.', true), true, 'Already explained.'],
  [new Error('something else'), false, 'The export failed. (something else)'],
])('%s', (error, permanent, text, at = target) => {
  const explained = explainError(error, at)
  expect(explained.message).toContain(text)
  expect(explained.permanent).toBe(permanent)
})

test('removes secrets, keeps the whole message, and says how much of an enormous one is left out', () => {
  const messageOf = (length: number) =>
    explainError(clickhouse('S3_ERROR', `AKIASECRET and very/secret ${'x'.repeat(length)}`), target).message
  expect(messageOf(2000)).toContain(`*** and *** ${'x'.repeat(2000)})`)
  expect(messageOf(2000)).not.toMatch(/AKIASECRET|very\/secret/)
  expect(messageOf(5000)).toMatch(/x and 20\d\d more characters\)$/)
  expect(messageOf(5000).length).toBeLessThan(3500)
})

test('blames the query for values it cannot compute, permanently', () => {
  const error = clickhouse('CANNOT_PARSE_TEXT', 'Cannot parse string')
  expect(explainError(error, { ...target, hasQuery: true })).toMatchObject({ permanent: true })
  expect(explainError(error, target)).toMatchObject({ permanent: false })
})

test.each<[unknown, FailureClass, ExplainedExport?]>([
  [clickhouse('S3_ERROR', 'InvalidAccessKeyId'), 'credentials'],
  [clickhouse('S3_ERROR', 'SignatureDoesNotMatch'), 'credentials'],
  [clickhouse('S3_ERROR', 'ExpiredToken'), 'credentials'],
  [clickhouse('S3_ERROR', 'The specified bucket does not exist'), 'bucket'],
  [clickhouse('S3_ERROR', 'Invalid S3 URI'), 'bucket'],
  [clickhouse('S3_ERROR', 'NoSuchKey'), 'bucket'],
  [clickhouse('S3_ERROR', 'PermanentRedirect'), 'region'],
  [clickhouse('S3_ERROR', 'Access Denied'), 'permission'],
  [clickhouse('S3_ERROR', 'KMS.DisabledException'), 'permission'],
  [nodeError('EACCES'), 'permission', folder],
  [nodeError('ENOTDIR'), 'destination', folder],
  [clickhouse('S3_ERROR', 'TOO_MANY_REDIRECTS'), 'network'],
  [clickhouse('S3_ERROR', 'The host x is not on the public internet.'), 'network'],
  [clickhouse('S3_ERROR', 'SSL routines'), 'network'],
  [clickhouse('DNS_ERROR', 'Not found address of host'), 'network'],
  [nodeError('ECONNREFUSED'), 'network'],
  [nodeError('ECONNRESET'), 'network'],
  [nodeError('ETIMEDOUT'), 'network'],
  [clickhouse('S3_ERROR', 'SlowDown'), 'store'],
  [clickhouse('S3_ERROR', 'Message: , bucket shop'), 'store'],
  [clickhouse('S3_ERROR', 'ServiceUnavailable'), 'store'],
  [clickhouse('S3_ERROR', 'XMinioStorageFull'), 'store'],
  [clickhouse('CANNOT_PARSE_TEXT', 'Cannot parse string'), 'query'],
  [clickhouse('UNKNOWN_IDENTIFIER', 'Unknown expression'), 'schema'],
  [clickhouse('TYPE_MISMATCH', 'Types differ'), 'schema'],
  [clickhouse('MEMORY_LIMIT_EXCEEDED', 'Query memory limit exceeded'), 'memory'],
  [nodeError('ENOSPC'), 'disk'],
  [clickhouse('QUERY_WAS_CANCELLED', 'Query was cancelled.'), 'service'],
  [new Error('something else'), 'other'],
])('the message of %s has the class %s', (error, expected, at = target) => {
  const { message } = explainError(error, { ...at, hasQuery: true })
  expect(failureCause(message, { type: 'S3', config: { bucket_name: 'shop' } }).class, message).toBe(expected)
})
