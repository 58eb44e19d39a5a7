import { sql } from 'kysely'
import type { AlertKind } from '../../contract/alerts/alert-rule.ts'
import type { Services } from '../services.ts'
import type { StoreTransaction } from '../store/schema/database.ts'
import { openIncidents, type OpenIncidentRow } from '../store/alerts/incident-writes.ts'
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
    const { rows } = await sql<{ evaluated_at: Date }>`
      SELECT evaluated_at FROM alert_watch FOR UPDATE SKIP LOCKED`.execute(transaction)
    // Another process evaluates them now, or has done so meanwhile.
    if (rows[0]?.evaluated_at.getTime() !== before.evaluated_at.getTime()) return null
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
    await transaction
      .updateTable('alert_watch')
      .set({
        evaluated_at: new Date(now),
        watching_since: new Date(watchingSince),
        ...(isSlowDue && { warehouse_at: new Date(now) }),
      })
      .execute()
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
    const changes = compareIncidents(found.get(projectId) ?? [], rows.map(asIncident))
    const store = () => storeTransitions(transaction, { changes, open: rows, rules, now })
    try {
      await withSavepoint(transaction, store, () => true)
    } catch (error) {
      logger.error({ err: error, projectId }, 'failed to store the alerts of a project')
    }
  }
}

function asIncident({ project_id, ...row }: OpenIncidentRow) {
  return { ...row, projectId: project_id }
}

async function readRules(transaction: StoreTransaction): Promise<EffectiveRules> {
  const rows = await transaction.selectFrom('alert_rules').selectAll().execute()
  const projects = await transaction.selectFrom('projects').select(['id', 'organization_id']).execute()
  return effectiveRules(rows, projects)
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
  const rows = await transaction
    .selectFrom('batch_exports')
    .select('project_id')
    .distinct()
    .where('deleted_at', 'is', null)
    .where('paused', '=', false)
    .execute()
  const detail = 'No process with the role "work" has run for two minutes, so no export runs: start one.'
  const opens = now - watchingSince > heartbeatMsMax
  const findings = rows.map(({ project_id }) => projectFinding(project_id, 'no_worker', { detail, opens }))
  return { alive, findings }
}
