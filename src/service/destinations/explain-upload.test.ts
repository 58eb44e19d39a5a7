import { expect, test } from 'vitest'
import { failureCause, type FailureClass } from '../../contract/runs/failure-cause.ts'
import { AzureError } from './azure/azure-client.ts'
import { azureDriver } from './azure/azure-driver.ts'
import { explainError } from './explain-error.ts'
import { sftpDriver } from './sftp/sftp-driver.ts'

const azure = azureDriver.open({
  container_name: 'lake',
  connection_string: 'AccountName=shop;AccountKey=c2VjcmV0a2V5',
})
const sftp = sftpDriver.open({
  path: 'in',
  host: 'files.example.com',
  user: 'spool',
  host_key_fingerprint: 'SHA256:x',
  password: 'very secret',
})

const refused = (status: number, code: string, message = '') =>
  new AzureError(status, code, `${status} ${message}`)
const nodeError = (code: string) => Object.assign(new Error(`${code}: of a socket`), { code })

test.each<[Error, boolean, FailureClass, string]>([
  [refused(404, 'ContainerNotFound'), true, 'bucket', 'There is no container "lake" at https://shop.blob.'],
  [
    refused(403, 'AuthenticationFailed', 'of c2VjcmV0a2V5'),
    true,
    'credentials',
    'not accept the credentials',
  ],
  [
    refused(403, 'AuthenticationFailed', 'Signature not valid in the specified time frame'),
    true,
    'credentials',
    'has expired or is not valid yet',
  ],
  [refused(403, 'AuthorizationPermissionMismatch'), true, 'permission', 'r, w, c and d'],
  [refused(403, 'AuthorizationSourceIPMismatch'), true, 'permission', 'network address'],
  [refused(403, 'KeyBasedAuthenticationNotPermitted'), true, 'credentials', 'does not allow access keys'],
  [refused(400, 'InvalidResourceName'), true, 'bucket', 'is not valid'],
  [refused(409, 'BlobImmutableDueToPolicy'), true, 'permission', 'immutability policy'],
  [refused(302, 'Status302'), true, 'network', 'redirects to another address'],
  [nodeError('UNABLE_TO_VERIFY_LEAF_SIGNATURE'), true, 'network', 'No secure connection'],
  [nodeError('ENOTFOUND'), false, 'network', 'was not found'],
  [nodeError('ECONNREFUSED'), false, 'network', 'refused the connection'],
  [nodeError('ETIMEDOUT'), false, 'network', 'https://shop.blob.core.windows.net did not respond in time'],
  [refused(400, 'InvalidBlockList'), false, 'service', 'Another attempt wrote the same file'],
  [refused(507, 'InsufficientStorage'), false, 'store', 'is full'],
  [refused(503, 'ServerBusy'), false, 'store', 'not available at the moment'],
  [nodeError('ENOSPC'), false, 'disk', 'The disk is full'],
])('Azure: %s', (error, permanent, expected, text) => {
  const explained = explainError(error, { ...azure.explained, hasQuery: false })
  expect(explained.message).toContain(text)
  expect(explained.message).not.toContain('c2VjcmV0a2V5')
  expect(explained.permanent).toBe(permanent)
  const place = { type: 'AzureBlob', config: { container_name: 'lake' } } as const
  expect(failureCause(explained.message, place).class).toBe(expected)
})

const status = (code: number, message: string) => Object.assign(new Error(message), { code })

test.each<[Error, boolean, FailureClass, string]>([
  [
    new Error('All configured authentication methods failed'),
    true,
    'credentials',
    'does not accept the user',
  ],
  [new Error('Cannot parse privateKey: Unsupported key format'), true, 'credentials', 'enter it whole'],
  [
    new Error('Cannot parse privateKey: Encrypted private OpenSSH key detected, but no passphrase given'),
    true,
    'credentials',
    'enter its passphrase',
  ],
  [
    new Error('Handshake failed: no matching key exchange algorithm'),
    true,
    'network',
    'no method of encryption',
  ],
  [status(3, 'Permission denied'), true, 'permission', 'may not write to the folder'],
  [status(8, 'Operation unsupported'), true, 'store', 'lacks an operation'],
  [status(2, 'No such file'), false, 'store', 'another client may have removed it'],
  [status(4, 'Failure'), false, 'store', 'its disk or the quota of the user is full'],
  [status(15, 'Quota exceeded'), false, 'store', 'is full'],
  [new Error('Timed out while waiting for handshake'), false, 'network', 'as an SSH server does'],
  [nodeError('ENOTFOUND'), false, 'network', 'The host of sftp://files.example.com:22 was not found'],
  [nodeError('ECONNREFUSED'), false, 'network', 'refused the connection'],
  [nodeError('ECONNRESET'), false, 'network', 'was lost'],
  [new Error('the password is very secret'), false, 'other', '***'],
  [nodeError('ENOSPC'), false, 'disk', 'The disk is full'],
])('SFTP: %s', (error, permanent, expected, text) => {
  const explained = explainError(error, { ...sftp.explained, hasQuery: false })
  expect(explained.message).toContain(text)
  expect(explained.message).not.toContain('very secret')
  expect(explained.permanent).toBe(permanent)
  expect(failureCause(explained.message, { type: 'SFTP', config: { path: 'in' } }).class).toBe(expected)
})
