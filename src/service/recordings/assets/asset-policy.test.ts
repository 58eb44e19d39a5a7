import { expect, test } from 'vitest'
import { defaultRecordingSettings } from '../../../contract/recordings/recording-settings.ts'
import { allowedAddresses, publicHosts } from './asset-policy.ts'
import { MissingAsset } from './missing-asset.ts'

const origin = 'http://127.0.0.1:4280'
/** An address that the policy allows; nothing connects to it. */
const allowed = { address: '2606::1', family: 6 }

/** Applies the real policy with a resolver that records look-ups. Resolves to the addresses or to the reason for refusal. */
async function decide(url: string, answer: string = allowed.address, settings = {}) {
  const lookups: string[] = []
  const resolve = async (name: string) => {
    lookups.push(name)
    return [allowed, { address: answer, family: answer.includes(':') ? 6 : 4 }]
  }
  const policy = { ...publicHosts, resolve }
  const decision = await allowedAddresses(
    new URL(url),
    { ...defaultRecordingSettings, ...settings },
    { policy, origin },
  ).catch((error: unknown) => (error instanceof MissingAsset ? error.message : Promise.reject(error)))
  return { decision, lookups }
}

test.each([
  'http://shop.example/a.png',
  'https://a.b.test./a.png',
  'http://x.invalid/',
  'http://localhost/a.png',
  'http://a.localhost/a.png',
  'http://printer.local/',
  'http://db.internal/',
  'http://intranet/a.png',
  'https://www.example.com/',
])('never looks up %s', async (url) => {
  const { decision, lookups } = await decide(url)
  expect(lookups).toEqual([])
  expect(decision).toMatch(/is not the name of a public host/)
})

test.each([
  'http://127.0.0.1/',
  'http://127.1/',
  'http://2130706433/',
  'http://0x7f.0.0.1/',
  'http://[::1]/',
  'http://[::ffff:127.0.0.1]/',
  'http://10.0.0.1/',
  'http://192.168.1.1/',
  'http://169.254.169.254/latest/',
  'http://[fd00::1]/',
  'http://0.0.0.0/',
  'http://0/',
  'http://017700000001/',
  'http://127.0.0.1./',
  'http://①②⑦.⓪.⓪.①/',
  'http://user@127.0.0.1/',
  'http://[::]/',
  'http://[::127.0.0.1]/',
  'http://[fe80::1]/',
  'http://[64:ff9b::7f00:1]/',
  'http://[64:ff9b:1::7f00:1]/',
  'http://[2002:7f00:1::]/',
])('refuses the private address %s', async (url) => {
  const { decision, lookups } = await decide(url)
  expect([decision, lookups]).toEqual([expect.stringMatching(/is not on the public internet/), []])
})

test.each(['127.0.0.1', '10.0.0.1', '::1', '169.254.169.254', 'fe80::1'])(
  'refuses a name with the private address %s, even beside a public one',
  async (address) => {
    const { decision, lookups } = await decide('https://cdn.shop.dev/a.png', address)
    expect(decision).toBe('The host cdn.shop.dev is not on the public internet.')
    expect(lookups).toEqual(['cdn.shop.dev'])
  },
)

test.each(['http://cdn.shop.dev:8080/', 'https://cdn.shop.dev:22/', 'http://127.0.0.1:4281/demo/a.svg'])(
  'fetches from ports 80 and 443 only: %s',
  async (url) => {
    const { decision, lookups } = await decide(url)
    expect([decision, lookups]).toEqual([
      expect.stringMatching(/^Files are not fetched from port \d+\.$/),
      [],
    ])
  },
)

test('allows public hosts, also at the other of the two ports', async () => {
  for (const url of ['http://cdn.shop.dev/', 'https://cdn.shop.dev/', 'https://cdn.shop.dev:80/'])
    expect(await decide(url)).toEqual({ decision: [allowed, allowed], lookups: ['cdn.shop.dev'] })
})

test('allows the files of the demo shop, but nothing else of the service', async () => {
  const demo = { decision: [{ address: '127.0.0.1', family: 4 }], lookups: [] }
  expect(await decide(`${origin}/demo/shop.css`)).toEqual(demo)
  expect(await decide('http://localhost:4280/demo/shop.css')).toEqual(demo)
  for (const path of ['/', '/api/schema', '/demo/../api/schema', '/demo/%2e%2e/api/schema', '/demox/'])
    expect((await decide(origin + path)).decision, path).toMatch(/port 4280/)
  expect((await decide('https://127.0.0.1:4280/demo/')).decision).toMatch(/port 4280/)
})

test('a project can allow listed hosts only, or none', async () => {
  const listed = { assets: 'listed', asset_hosts: ['cdn.shop.dev'] }
  expect((await decide('https://cdn.shop.dev/a.png', allowed.address, listed)).decision).toHaveLength(2)
  expect(await decide('https://a.cdn.shop.dev/a.png', allowed.address, listed)).toEqual({
    decision: 'The project does not list the host a.cdn.shop.dev.',
    lookups: [],
  })
  expect(await decide('https://cdn.shop.dev/a.png', allowed.address, { assets: 'off' })).toEqual({
    decision: 'The project does not fetch the files of recordings.',
    lookups: [],
  })
})

test('an unknown host is a missing file', async () => {
  const resolve = () => Promise.reject(new Error('queryA ENOTFOUND'))
  const decision = allowedAddresses(new URL('https://cdn.shop.dev/'), defaultRecordingSettings, {
    policy: { ...publicHosts, resolve },
    origin: null,
  })
  await expect(decision).rejects.toThrow('The host cdn.shop.dev cannot be found.')
})
