import { describe, expect, test } from 'vitest'
import { connectionLane } from './connection-lane.ts'

describe('a lane', () => {
  test('opens a connection only when all others are busy, up to its size', async () => {
    const { lane, opened } = countingLane(2)
    expect(opened()).toBe(0)
    await lane.run(async () => undefined)
    await lane.run(async () => undefined)
    expect(opened()).toBe(1)
    await Promise.all(Array.from({ length: 9 }, () => lane.run(async () => undefined)))
    expect(opened()).toBe(2)
  })

  test('runs one statement at a time per connection, in order of arrival', async () => {
    const { lane } = countingLane(1)
    const order: string[] = []
    await Promise.all(
      [1, 2, 3].map((number) =>
        lane.run(async () => {
          order.push(`begin ${number}`)
          await Promise.resolve()
          order.push(`end ${number}`)
        }),
      ),
    )
    expect(order).toEqual([1, 2, 3].flatMap((number) => [`begin ${number}`, `end ${number}`]))
  })

  test('keeps working after a statement fails', async () => {
    const { lane, opened } = countingLane(1)
    await expect(lane.run(() => Promise.reject(new Error('bad')))).rejects.toThrow('bad')
    await expect(lane.run(() => Promise.resolve('good'))).resolves.toBe('good')
    expect(opened()).toBe(1)
  })

  test('keeps working after a connection fails to open', async () => {
    let tries = 0
    const open = async () => {
      if (tries++ === 0) throw new Error('bad')
      return tries
    }
    const lane = connectionLane(1, open, () => undefined)
    await expect(lane.run(() => Promise.resolve())).rejects.toThrow('bad')
    await expect(lane.run((connection) => Promise.resolve(connection))).resolves.toBe(2)
  })

  test('closes when the running statements have ended, and rejects the waiting ones', async () => {
    const { lane, closed } = countingLane(1)
    const statement = Promise.withResolvers<void>()
    const running = lane.run(() => statement.promise)
    const waiting = lane.run(async () => undefined)
    const closing = lane.close()
    await expect(waiting).rejects.toThrow('closed')
    await expect(lane.run(async () => undefined)).rejects.toThrow('closed')
    expect(closed()).toBe(0)
    statement.resolve()
    await Promise.all([running, closing])
    expect(closed()).toBe(1)
  })
})

function countingLane(size: number) {
  let [opened, closed] = [0, 0]
  const lane = connectionLane(
    size,
    async () => (opened += 1),
    () => void (closed += 1),
  )
  return { lane, opened: () => opened, closed: () => closed }
}
