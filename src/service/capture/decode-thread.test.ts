import { expect, test } from 'vitest'
import { openDecoding } from './decode-thread.ts'

function request(token: string) {
  const event = { event: 'e', distinct_id: 'u', token }
  return { body: Buffer.from(JSON.stringify(event)), path: '/e/', query: {} }
}

test('decodes requests with a known token first, and lets others wait only up to a number', async () => {
  const order: string[] = []
  const decodeInThread = openDecoding(1)
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

test('each thread has its own queue, and requests beyond what the queues hold are told to try again', async () => {
  const decodeInThread = openDecoding(2)
  const flood = Array.from({ length: 40 }, (_, index) => decodeInThread(request(`${index}`), 0, false))
  const decoded = await Promise.allSettled(flood)
  // In each thread, one request is decoded and 16 wait.
  expect(decoded.filter(({ status }) => status === 'fulfilled')).toHaveLength(34)
  const refused = {
    status: 'rejected',
    reason: { status: 503, message: expect.stringContaining('try again') },
  }
  expect(decoded.slice(34)).toMatchObject(Array.from({ length: 6 }, () => refused))
})

test('a request whose thread dies is to be sent again, and those after it are decoded', async () => {
  const decodeInThread = openDecoding(1)
  const deadly = { ...request('deadly'), body: null as unknown as Uint8Array }
  const dead = decodeInThread(deadly, 0, true)
  const next = decodeInThread(request('next'), 0, true)
  await expect(dead).rejects.toMatchObject({ status: 503, message: expect.stringContaining('try again') })
  expect(await next).toMatchObject({ token: 'next' })
})
