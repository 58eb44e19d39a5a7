import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { cancelDeletions, sendAction, sendAllNow, sendLater, type LaterAction } from './send-action.ts'
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

test('a failure shows the reason and offers Retry, which sends the action again', async () => {
  let refusals = 1
  const send = async () => {
    if (refusals-- > 0) throw new Error('The queue is full.')
    return 3
  }
  let undone = 0
  const action = { failed: 'Could not retry the runs.', done: (runs: number) => `${runs} retried.` }
  await sendAction({ ...action, send, undo: () => undone++ })
  const failure = toasts.get().at(-1)
  expect(failure?.text).toBe('Could not retry the runs. The queue is full.')
  failure?.retry?.()
  await vi.waitFor(() => expect(toasts.get().at(-1)?.text).toBe('3 retried.'))
  undoNewest()
  expect(undone).toBe(1)
})

test('Retry calls the function that an action has for it', async () => {
  let retries = 0
  const send = () => Promise.reject(new Error('no'))
  await sendAction({ failed: 'Could not pause Orders.', send, retry: () => retries++ })
  toasts.get().at(-1)?.retry?.()
  expect(retries).toBe(1)
})
