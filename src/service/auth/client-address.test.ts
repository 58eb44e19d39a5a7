import { expect, test } from 'vitest'
import { clientAddress } from './client-address.ts'

test.each([
  ['127.0.0.1', '127.0.0.1'],
  ['::ffff:127.0.0.1', '127.0.0.1'],
  ['127.0.0.1:49152', '127.0.0.1'],
  ['[fd00::1]:49152', 'fd00:0:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fd00:1:2:3:4:5:6:7', 'fd00:1:2:3::/64'],
  ['FD00:1:2:3::9', 'fd00:1:2:3::/64'],
  ['fd00:0001::1', 'fd00:1:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['fd00::127.0.0.1', 'fd00:0:0:0::/64'],
  ['unix socket', 'unknown'],
  [undefined, 'unknown'],
])('%s counts as %s', (address, name) => {
  expect(clientAddress(address)).toBe(name)
})
