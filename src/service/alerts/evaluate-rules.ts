import { sql } from 'kysely'
import type { AlertKind } from '../../contract/alerts/alert-rule.ts'
import type { Services } from '../services.ts'
import { rowsOf, type StoreTransaction } from '../store/schema/database.ts'
import { openIncidents, type OpenIncidentRow } from '../store/alerts/incident-writes.ts'
import { findRow, findRows, updateRows } from '../store/schema/rows.ts'
import { withSavepoint } from '../store/schema/savepoint.ts'
import { effectiveRules, type EffectiveRules } from './effective-rules.ts'
import { findInExports, findInLedger } from './export-findings.ts'
import { compareIncidents, projectFinding, type Finding } from './incident-changes.ts'
import { storeTransitions } from './store-transitions.ts'
import { findErrors, findSilent } from './warehouse-findings.ts'

const minuteMs = 60_000
/** The rules are evaluated once in this time (ms), whatever the number of processes. */
const evaluateMs = 50_000
/** The rules that read the warehouse or the ledger are evaluated once in this time (ms). */
const slowMs = 5 * minuteMs
/** Time (ms) without an evaluation after which it is unknown whether a worker has been alive. */
const interruptionMs = 3 * minuteMs
/** Time (ms) without a heartbeat after which no worker is alive. */
export const heartbeatMsMax = 2 * minuteMs

type AlertServices = Pick<Services, 'store' | 'warehouse' | 'clock' | 'logger'>

/**
 * Evaluates the rules of all projects, unless another process does or has just done so, and stores the transitions of incidents
 * with their messages. Resolves to whether a worker is alive; to null without an evaluation.
 */
export async function evaluateRules(services: AlertServices): Promise<{ workerAlive: boolean } | null> {
  const now = services.clock.now()
  const before = await services.store.selectFrom('alert_watch').selectAll().executeTakeFirstOrThrow()
  if (now - before.evaluated_at.getTime() < evaluateMs) return null
  const isSlowDue = now - before.warehouse_at.getTime() >= slowMs
  const slow = isSlowDue ? await evaluateSlowRules(services, now) : { findings: [], kinds: [] }
  return await services.store.transaction().execute(async (transaction) => {
    const locked = await findRow(transaction, 'alert_watch', {}, sql`FOR UPDATE SKIP LOCKED`)
    // Another process evaluates them now, or has done so meanwhile.
    if (locked?.evaluated_at.getTime() !== before.evaluated_at.getTime()) return null
    const wasInterrupted = now - before.evaluated_at.getTime() > interruptionMs
    const watchingSince = wasInterrupted ? now : before.watching_since.getTime()
    const workers = await findMissingWorkers(transaction, now, watchingSince)
    const rules = await readRules(transaction)
    const minutesOf = ({ project_id, id }: { project_id: number; id: string }) =>
      rules(project_id, 'late', id).late_minutes
    const findings = [
      ...(await findInExports(transaction, now, { minutesOf, cacheKey: services.store })),
      ...workers.findings,
      ...slow.findings,
    ].filter(({ projectId, kind, exportId }) => rules(projectId, kind, exportId).enabled)
    const kinds: AlertKind[] = ['failed', 'paused', 'late', 'no_worker', ...slow.kinds]
    const open = (await openIncidents(transaction)).filter(({ kind }) => kinds.includes(kind))
    await storeByProject(transaction, { findings, open, rules, now }, services.logger)
    const watched = { evaluated_at: new Date(now), watching_since: new Date(watchingSince) }
    const change = { ...watched, ...(isSlowDue && { warehouse_at: new Date(now) }) }
    await updateRows(transaction, 'alert_watch', {}, change)
    return { workerAlive: workers.alive }
  })
}

type Evaluated = {
  findings: readonly Finding[]
  open: readonly OpenIncidentRow[]
  rules: EffectiveRules
  now: number
}

/** Stores the transitions of each project; if those of one cannot be stored, the others are. */
async function storeByProject(
  transaction: StoreTransaction,
  { findings, open, rules, now }: Evaluated,
  logger: Services['logger'],
): Promise<void> {
  const found = Map.groupBy(findings, ({ projectId }) => projectId)
  const known = Map.groupBy(open, ({ project_id }) => project_id)
  for (const projectId of new Set([...found.keys(), ...known.keys()])) {
    const rows = known.get(projectId) ?? []
    const incidents = rows.map(({ project_id: _, ...row }) => ({ ...row, projectId }))
    const changes = compareIncidents(found.get(projectId) ?? [], incidents)
    const store = () => storeTransitions(transaction, { changes, open: rows, rules, now })
    try {
      await withSavepoint(transaction, store)
    } catch (error) {
      logger.error({ err: error, projectId }, 'failed to store the alerts of a project')
    }
  }
}

async function readRules(transaction: StoreTransaction): Promise<EffectiveRules> {
  const rows = await findRows(transaction, 'alert_rules', {})
  return effectiveRules(rows, await findRows(transaction, 'projects', {}))
}

/** Evaluates the slow rules; a kind whose source fails is left out, so that its incidents neither open nor recover. */
async function evaluateSlowRules(services: AlertServices, now: number) {
  const open = await openIncidents(services.store)
  const silent = new Map(
    open.flatMap(({ kind, project_id, opened_at }) =>
      kind === 'silent' ? [[project_id, opened_at.getTime()] as const] : [],
    ),
  )
  const clusters = open.flatMap(({ kind, cause }) => (kind === 'error' ? [Number(cause)] : []))
  const parts: { kinds: AlertKind[]; find: () => Promise<Finding[]> }[] = [
    { kinds: ['short', 'unusual'], find: () => findInLedger(services.store, now) },
    { kinds: ['silent'], find: () => findSilent(services, now, silent) },
    { kinds: ['error'], find: () => findErrors(services, now, clusters) },
  ]
  const results = await Promise.all(
    parts.map(({ kinds, find }) =>
      find().then(
        (findings) => ({ kinds, findings }),
        (error: unknown) => {
          services.logger.error({ err: error }, `failed to evaluate the rules ${kinds.join(' and ')}`)
          return { kinds: [], findings: [] }
        },
      ),
    ),
  )
  return {
    kinds: results.flatMap(({ kinds }) => kinds),
    findings: results.flatMap(({ findings }) => findings),
  }
}

/** Finds the projects whose exports no worker runs; they open incidents once workers have been watched for long enough. */
async function findMissingWorkers(transaction: StoreTransaction, now: number, watchingSince: number) {
  const { at } = await transaction.selectFrom('worker_heartbeat').selectAll().executeTakeFirstOrThrow()
  const alive = now - at.getTime() <= heartbeatMsMax
  if (alive) return { alive, findings: [] }
  const rows = await rowsOf<{ project_id: number }>(transaction)`
    SELECT DISTINCT project_id FROM batch_exports WHERE deleted_at IS NULL AND NOT paused`
  const detail = 'No process with the role "work" has run for two minutes, so no export runs: start one.'
  const opens = now - watchingSince > heartbeatMsMax
  const findings = rows.map(({ project_id }) => projectFinding(project_id, 'no_worker', { detail, opens }))
  return { alive, findings }
}
