import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestService, type TestService } from '../../testing/test-service.ts'
import { afterCommit, inTransaction, type StoreTransaction } from './database.ts'
import { withSavepoint } from './savepoint.ts'

let service: TestService
beforeAll(async () => {
  service = await createTestService()
})
afterAll(() => service.stop())

test('work after a commit starts once the outermost transaction is committed, and is dropped by a rollback', async () => {
  const { store } = service.services
  const started: string[] = []
  const add = (transaction: StoreTransaction, name: string) =>
    afterCommit(transaction, async () => void started.push(name))
  const fail = (name: string) => async (transaction: StoreTransaction) => {
    add(transaction, name)
    throw new Error(name)
  }
  await inTransaction(store, async (transaction) => {
    await inTransaction(transaction, async (inner) => add(inner, 'of a nested transaction'))
    await withSavepoint(transaction, async () => add(transaction, 'kept'))
    await withSavepoint(
      transaction,
      async () => add(transaction, 'not kept'),
      () => false,
    )
    await expect(withSavepoint(transaction, () => fail('failed')(transaction))).rejects.toThrow()
    add(transaction, 'last')
    expect(started).toEqual([])
  })
  await expect(inTransaction(store, fail('rolled back'))).rejects.toThrow('rolled back')
  expect(started).toEqual(['of a nested transaction', 'kept', 'last'])
})

test('work after a commit that fails does not fail the committed transaction', async () => {
  const result = await inTransaction(service.services.store, async (transaction) => {
    afterCommit(transaction, () => Promise.reject(new Error('too late')))
    return 'committed'
  })
  expect(result).toBe('committed')
})
