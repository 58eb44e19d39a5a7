import { sql } from 'kysely'
import { rememberWorks, type StoreTransaction } from './database.ts'

/**
 * Performs `work` within a transaction, and undoes its statements if it throws or if `keeps` returns false for its result.
 * The transaction stays usable.
 */
export async function withSavepoint<Result>(
  transaction: StoreTransaction,
  work: () => Promise<Result>,
  keeps: (result: Result) => boolean = () => true,
): Promise<Result> {
  await sql`SAVEPOINT work`.execute(transaction)
  const dropWorks = rememberWorks(transaction)
  const rollBack = async () => {
    await sql`ROLLBACK TO SAVEPOINT work`.execute(transaction)
    dropWorks()
  }
  try {
    const result = await work()
    if (!keeps(result)) await rollBack()
    return result
  } catch (error) {
    await rollBack()
    throw error
  } finally {
    await sql`RELEASE SAVEPOINT work`.execute(transaction)
  }
}
