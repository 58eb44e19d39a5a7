import { sql } from 'kysely'
import type { Services } from '../services.ts'
import { findRows } from '../store/schema/rows.ts'
import { verifyChain, type ChainReport } from './verify-chain.ts'

type Needs = Pick<Services, 'store' | 'secrets'>

/** Checks the audit log of one organization, or of all; the exit code is 1 if one does not match. */
export async function verifyChains(services: Needs, only: string | null) {
  const organizations = await findRows(
    services.store,
    'organizations',
    only === null ? {} : { id: only },
    sql`ORDER BY created_at, id`,
  )
  const reports: (ChainReport & { organization_id: string })[] = []
  for (const { id } of organizations)
    reports.push({ organization_id: id, ...(await verifyChain(services, id)) })
  return {
    json: { organizations: reports },
    text: reports.map((report) => `${report.organization_id}  ${inWords(report)}`).join('\n'),
    code: reports.some(({ problem }) => problem !== null) ? 1 : 0,
  }
}

function inWords({ problem, seal, removed, hash, entries, unsealed }: ChainReport): string {
  if (problem) return `NOT VALID: seal ${problem.seal} ${problem.reason}.`
  const earlier = removed > 0 ? `, the first ${removed} of which were removed after their retention` : ''
  const newest = seal > 0 ? ` The newest hash is ${hash}.` : ''
  return `valid: ${seal} seals${earlier}; ${entries} sealed entries, ${unsealed} not sealed yet.${newest}`
}
