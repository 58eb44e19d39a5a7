import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { BodyBudget } from './body-budget.ts'
import { BodyRefused, receiveBody } from './receive-body.ts'

const kilobyte = Buffer.alloc(1024)
const options = () => ({ bytesMax: 64 * 1024, budget: new BodyBudget(1e9) })

test('receives a body', async () => {
  const stream = new PassThrough()
  const receiving = receiveBody(stream, options())
  stream.write('one ')
  stream.end('two')
  expect((await receiving).bytes.toString()).toBe('one two')
})

test('refuses a body above the limit, and reads the rest so that the client gets the response', async () => {
  const stream = new PassThrough()
  const receiving = receiveBody(stream, options())
  for (let sent = 0; sent < 65; sent++) stream.write(kilobyte)
  await expect(receiving).rejects.toMatchObject({ reason: 'too large' })
  const ended = new Promise((resolve) => stream.once('end', resolve))
  stream.end(kilobyte)
  await ended
})

test('refuses a body that stalls, and then closes it', async () => {
  const stream = new PassThrough()
  const closed = new Promise((resolve) => stream.once('close', resolve))
  const receiving = receiveBody(stream, { ...options(), stallMs: 5 })
  stream.write(kilobyte)
  await expect(receiving).rejects.toMatchObject({ reason: 'stalled' })
  await closed
})

test.each([undefined, new Error('aborted')])(
  'refuses a body that its client abandons (%s)',
  async (error) => {
    const stream = new PassThrough()
    const receiving = receiveBody(stream, options())
    stream.write(kilobyte)
    stream.destroy(error)
    await expect(receiving).rejects.toMatchObject({ reason: 'incomplete' })
  },
)

test('refuses a long body as soon as its beginning is found to be wrong', async () => {
  const stream = new PassThrough()
  const inspect = (beginning: Buffer) => Promise.reject(new Error(beginning.toString('latin1', 0, 5)))
  const receiving = receiveBody(stream, { ...options(), inspect })
  stream.write('wrong')
  for (let sent = 0; sent < 16; sent++) stream.write(kilobyte)
  await expect(receiving).rejects.toThrow('wrong')
})

test('evicts the largest body when all bodies together are too large, and frees its room', async () => {
  const budget = new BodyBudget(64 * 1024)
  const streams = Array.from({ length: 8 }, () => new PassThrough())
  const receiving = streams.map((stream) => receiveBody(stream, { bytesMax: 1e6, budget }))
  const outcomes = receiving.map((body) =>
    body.then(
      ({ bytes, release }) => {
        release()
        return bytes.length
      },
      (error: unknown) => (error instanceof BodyRefused ? error.reason : error),
    ),
  )
  const [first, ...others] = streams
  for (const stream of others) stream.write(kilobyte)
  for (let sent = 0; sent < 100; sent++) first?.write(kilobyte)
  expect(await outcomes[0]).toBe('no room')
  for (const stream of others) {
    for (let sent = 0; sent < 5; sent++) stream.write(kilobyte)
    stream.end()
  }
  expect(await Promise.all(outcomes.slice(1))).toEqual(others.map(() => 6 * 1024))
})
