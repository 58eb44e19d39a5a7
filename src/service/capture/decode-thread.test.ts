import { expect, test } from 'vitest'
import { decodeInThread } from './decode-thread.ts'

function request(token: string) {
  const event = { event: 'e', distinct_id: 'u', token }
  return { body: Buffer.from(JSON.stringify(event)), path: '/e/', query: {} }
}

test('decodes requests with a known token first, and lets others wait only up to a number', async () => {
  const order: string[] = []
  const decode = (name: string, isKnown: boolean) =>
    decodeInThread(request(name), 0, isKnown).then(({ token }) => void order.push(token))
  const unknown = Array.from({ length: 18 }, (_, index) => decode(`unknown ${index}`, false))
  const known = decode('known', true)
  await expect(unknown[17]).rejects.toMatchObject({ status: 503 })
  await Promise.all([...unknown.slice(0, 17), known])
  expect(order).toEqual([
    'unknown 0',
    'known',
    ...Array.from({ length: 16 }, (_, index) => `unknown ${index + 1}`),
  ])
})
