import { expect, test } from 'vitest'
import type { PrivateDestinations } from '../config.ts'
import { openHosts } from '../engines/hosts.ts'
import { checkEndpoint } from './destination-check.ts'

const hosts = openHosts()
const check = (privateDestinations: PrivateDestinations, url: string) =>
  checkEndpoint({ hosts, config: { privateDestinations } }, url)

const privateUrls = [
  'http://10.1.2.3',
  'http://172.16.0.1',
  'http://172.31.255.255',
  'http://192.168.1.1:9000',
  'http://100.64.0.1',
  'http://169.254.169.254/latest/meta-data/',
  'http://[fd00:ec2::254]',
  'http://0.0.0.0',
  'http://224.0.0.1',
  'http://255.255.255.255',
  'http://[fe80::1]',
  'http://[fc00::1]',
  'http://[ff02::1]',
  'http://[::]',
  'http://[::ffff:10.0.0.1]',
  'http://[64:ff9b::a00:1]',
  'http://[64:ff9b::7f00:1]',
  'http://[64:ff9b:1::a00:1]',
  'http://[2002:a00:1::]',
  'http://[2001:0:a00:1::]',
  'http://[2001:db8::1]',
  'http://[::a00:1]',
  'http://0xa.1',
  'http://167772161',
]
const loopbackUrls = [
  'http://127.0.0.1:9000',
  'http://127.1.2.3',
  'http://0x7f.1',
  'http://2130706433',
  'http://017700000001',
  'http://[::1]',
  'http://[::ffff:127.0.0.1]',
  'http://[0:0:0:0:0:ffff:7f00:1]',
  'http://localhost:1234',
]
const publicUrls = ['https://8.8.8.8', 'https://[2600::1]:9000', 'http://[::ffff:8.8.8.8]']

test.each(privateUrls)('rejects %s unless private destinations are allowed', async (url) => {
  expect(await check('none', url)).toContain('not on the public internet')
  expect(await check('loopback', url)).toContain('not on the public internet')
  expect(await check('all', url)).toBeNull()
})

test.each(loopbackUrls)('allows %s if loopback is allowed', async (url) => {
  expect(await check('none', url)).toContain('not on the public internet')
  expect(await check('loopback', url)).toBeNull()
})

test.each(publicUrls)('always allows %s', async (url) => {
  expect(await check('none', url)).toBeNull()
})

test.each([
  ['not a url', 'not a URL'],
  ['ftp://example.com', 'https:// or http://'],
  ['file:///etc/passwd', 'https:// or http://'],
  ['https://user:pass@example.com', 'must not contain credentials'],
])('always rejects %s', async (url, text) => {
  expect(await check('all', url)).toContain(text)
})

test('allows a host that does not exist, since nothing can be reached there', async () => {
  expect(await check('none', 'https://nowhere.invalid')).toBeNull()
})
