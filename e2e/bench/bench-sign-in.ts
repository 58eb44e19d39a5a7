import { hashPassword } from '../../src/service/auth/passwords.ts'
import { firstOwner } from '../../src/service/store/accounts/users.ts'
import { updateRows } from '../../src/service/store/schema/rows.ts'
import { withStore } from '../connect-store.ts'
import type { Tenant } from '../journey.ts'
import type { RunningService } from '../service.ts'
import { median, quantile, type Figure } from './bench-figure.ts'

const warmUp = 6
const tries = 60

/** The service believes this header, so that each try comes from an address of its own, and none is refused as one too many. */
export const signInEnv = { SPOOL_TRUSTED_PROXIES: '127.0.0.1' }

/** Measures whether the time of a sign-in that fails tells if there is an account. */
export async function signInFigures(service: RunningService): Promise<Figure[]> {
  const tenant = await service.admin<Tenant>('organization', 'create', '--name', 'Bench')
  const known = 'ada@bench.example'
  const password_hash = await hashPassword('sixteen purple tea cups')
  await withStore(service, async (store) => {
    const owner = await firstOwner(store, tenant.organization_id)
    await updateRows(store, 'users', { id: owner?.user_id ?? '' }, { email: known, password_hash })
  })
  const times = { known: [] as number[], unknown: [] as number[], hash: [] as number[] }
  const accounts = ['known', 'unknown'] as const
  for (let attempt = 0; attempt < tries + warmUp; attempt++)
    for (const account of attempt % 2 === 0 ? accounts : accounts.toReversed()) {
      const email = account === 'known' ? known : `nobody-${attempt}@bench.example`
      const started = performance.now()
      await failToSignIn(service, email, `10.0.${attempt}.${account.length}`)
      if (attempt >= warmUp) times[account].push(performance.now() - started)
      if (account === 'known') times.hash.push(await timeOfHash())
    }
  // Other work on the machine disturbs the fastest tries least.
  const fast = [quantile(times.known, 0.25), quantile(times.unknown, 0.25)]
  const hash = median(times.hash)
  const overHash = (name: string, of: readonly number[]) => ({
    name: `${name}, median, over hashing one password`,
    measured: median(of) / hash,
    note: `a hash took ${Math.round(hash)} ms`,
    bound: 1.5,
    unit: '×',
  })
  return [
    overHash('wrong password of an account', times.known),
    overHash('password of no account', times.unknown),
    {
      name: 'ratio of the fastest quarters of both',
      measured: Math.max(...fast) / Math.min(...fast),
      bound: 1.1,
      unit: '×',
    },
  ]
}

async function timeOfHash(): Promise<number> {
  const started = performance.now()
  await hashPassword('sixteen purple tea cups')
  return performance.now() - started
}

async function failToSignIn({ origin }: RunningService, email: string, address: string): Promise<void> {
  const response = await fetch(`${origin}/api/sessions/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
    body: JSON.stringify({ email, password: 'not the password' }),
  })
  if (response.status !== 401) throw new Error(`${response.status}: ${await response.text()}`)
}
