import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { sendEach } from '../../api/send-each.ts'
import { cancelDeletions, sendAllNow, sendLater, sendSeveralLater, type LaterAction } from './send-action.ts'
import { toasts, undoNewest } from './toasts.ts'

let sent: string[] = []

beforeEach(() => {
  vi.useFakeTimers()
  sent = []
})

afterEach(async () => {
  await vi.runAllTimersAsync()
  vi.useRealTimers()
})

function remove(...on: string[]): LaterAction {
  return {
    verb: 'delete',
    on,
    label: `Deleting ${on.join()}`,
    failed: `${on.join()} could not be deleted.`,
    send: async () => sent.push(on.join()),
  }
}

test('sends an action once, after six seconds', async () => {
  sendLater(remove('orders'))
  await vi.advanceTimersByTimeAsync(5_999)
  expect(sent).toEqual([])
  await vi.advanceTimersByTimeAsync(60_000)
  expect(sent).toEqual(['orders'])
})

test('never sends an undone action, and undoes the newest first', async () => {
  let undone = 0
  sendLater(remove('orders'))
  sendLater({ ...remove('returns'), onUndo: () => undone++ })
  undoNewest()
  await vi.advanceTimersByTimeAsync(60_000)
  expect([sent, undone]).toEqual([['orders'], 1])
})

test('sends an action at once when another one on the same item follows', async () => {
  sendLater(remove('orders', 'returns'))
  sendLater(remove('people'))
  expect(sent).toEqual([])
  sendLater(remove('returns'))
  expect(sent).toEqual(['orders,returns'])
})

test('sends all pending actions once', async () => {
  sendLater(remove('orders'))
  sendLater(remove('returns'))
  await Promise.all([sendAllNow(), sendAllNow()])
  await vi.advanceTimersByTimeAsync(60_000)
  expect(sent).toEqual(['orders', 'returns'])
})

test('sends pending retries and cancels pending deletions when the page is left', async () => {
  sendLater(remove('orders'))
  sendLater({ ...remove('returns'), verb: 'retry' })
  await sendAllNow({ deletions: false })
  cancelDeletions()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(sent).toEqual(['returns'])
})

test('forgets a failed action, so that the next one is sent', async () => {
  sendLater({ ...remove('orders'), send: () => Promise.reject(new Error('no')) })
  await sendAllNow()
  sendLater(remove('orders'))
  await sendAllNow()
  expect(sent).toEqual(['orders'])
})

test('retries only the items that failed', async () => {
  const broken = new Set(['returns'])
  const rounds: (readonly string[])[] = []
  sendSeveralLater(['orders', 'returns', 'people'], {
    verb: 'retry',
    on: ['orders', 'returns', 'people'],
    label: 'Retrying 3 runs',
    failed: (items) => `Could not retry ${items.join()}.`,
    done: 'All retried.',
    send: (items) => {
      rounds.push(items)
      return sendEach(items, async (item) => {
        if (broken.has(item)) throw new Error('The queue is full.')
      })
    },
  })
  await sendAllNow()
  const failure = toasts.get().at(-1)
  expect(failure?.text).toBe('Could not retry returns. The queue is full.')
  broken.clear()
  failure?.retry?.()
  await vi.waitFor(() => expect(toasts.get().at(-1)?.text).toBe('All retried.'))
  expect(rounds).toEqual([['orders', 'returns', 'people'], ['returns']])
})

test('reports all items if sending them fails as a whole', async () => {
  sendSeveralLater(['orders', 'returns'], {
    verb: 'retry',
    on: ['orders', 'returns'],
    label: 'Retrying 2 runs',
    failed: (items) => `Could not retry ${items.join()}.`,
    done: 'All retried.',
    send: () => Promise.reject(new Error('The service does not respond.')),
  })
  await sendAllNow()
  expect(toasts.get().at(-1)?.text).toBe('Could not retry orders,returns. The service does not respond.')
})
