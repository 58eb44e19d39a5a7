import { formatInstant } from '../../../contract/instant.ts'
import { touchedPeriod, windowsBetween, type Window } from '../../../contract/interval.ts'
import { encodeCoverage } from '../../../contract/runs/coverage.ts'
import {
  encodeLedgerStates,
  ledgerObjectsMax,
  ledgerPageSize,
  type Verification,
} from '../../../contract/runs/ledger.ts'
import { logExport } from '../../runs/export-log.ts'
import { invalidInput } from '../../problems/api-error.ts'
import { insertChange } from '../../store/runs/changes-list.ts'
import { setVerifyMode, verifyModeOf } from '../../store/windows/ledger.ts'
import {
  newestVerification,
  requestVerification,
  type VerificationRow,
} from '../../store/windows/verifications.ts'
import { readExpectation } from '../../store/windows/expectation.ts'
import { flaggedMarks } from '../../store/windows/ledger-marks.ts'
import { windowLedger } from '../../store/windows/window-ledger.ts'
import { runsBetween } from '../../store/windows/window-runs.ts'
import { judgeWindows } from '../../store/windows/judge-windows.ts'
import type { Handler } from '../handler.ts'
import { byKey } from '../by-key.ts'
import { listedWindows, periodOf, shownPeriod, showWindows, totalsOf } from './show-ledger.ts'
import { assertPeriod, readInstant } from '../given-times.ts'

export const ledgerOfBatchExport: Handler<'ledgerOfBatchExport'> = async (request) => {
  const { services, batchExport, query, link } = request
  const period = periodOf(services, batchExport, query)
  const [windows, verify, verification] = await Promise.all([
    windowLedger(services.store, batchExport, period, services.clock.now()),
    verifyModeOf(services.store, batchExport.id),
    newestVerification(services.store, batchExport.id),
  ])
  const listed = listedWindows(windows)
  const cursor = readInstant(query.cursor)?.getTime() ?? Infinity
  const first = listed.findIndex(({ start }) => start < cursor)
  const from = first === -1 ? listed.length : first
  const page = listed.slice(from, from + ledgerPageSize)
  const linkAfter = (index: number) => link({ cursor: formatInstant(listed[index]?.start ?? 0) })
  const before = from - ledgerPageSize
  return {
    interval: batchExport.interval,
    ...shownPeriod(period),
    verify,
    verification: verification ? showVerification(verification) : null,
    totals: totalsOf(listed),
    states: encodeLedgerStates(windows.map(({ state }) => state)),
    next: from + ledgerPageSize < listed.length ? linkAfter(from + ledgerPageSize - 1) : null,
    previous: from === 0 ? null : before > 0 ? linkAfter(before - 1) : link({ cursor: null }),
    results: await showWindows(services, batchExport, page, ledgerObjectsMax),
  }
}

export const flagsOfLedger: Handler<'flagsOfLedger'> = async ({ services, batchExport, query }) => {
  const period = periodOf(services, batchExport, query)
  const windows = await windowLedger(services.store, batchExport, period, services.clock.now())
  return {
    windows: windows.flatMap(({ flags, ...bounds }) =>
      flags.length === 0 ? [] : [{ ...shownPeriod(bounds), flags: [...flags] }],
    ),
  }
}

export const updateLedger: Handler<'updateLedger'> = async ({ services, caller, batchExport, body }) => {
  const { store, clock } = services
  const { verify } = body
  await store.transaction().execute(async (transaction) => {
    const before = await verifyModeOf(transaction, batchExport.id)
    if (before === verify) return
    const at = new Date(clock.now())
    await setVerifyMode(transaction, batchExport.id, verify)
    await insertChange(transaction, {
      batchExportId: batchExport.id,
      kind: 'updated',
      actor: caller.name,
      at,
      fields: [{ field: 'verify', before, after: verify, secret: false }],
    })
    const message = `Changed verify ${byKey(caller)}.`
    await logExport(transaction, batchExport.id, message, at)
  })
  return { verify }
}

export const verifyLedger: Handler<'verifyLedger'> = async ({ services, caller, batchExport, body }) => {
  const verification = await requestVerification(services.store, {
    batchExportId: batchExport.id,
    actor: caller.name,
    at: new Date(services.clock.now()),
    selection: body.windows
      ? { starts: body.windows.map((text) => readInstant<never>(text)) }
      : datesOf(periodOf(services, batchExport, body)),
  })
  if (!verification)
    throw invalidInput('The ledger has no entry for these windows: export them again, then verify.', [
      body.windows ? 'windows' : 'start',
    ])
  return showVerification(verification)
}

function datesOf({ start, end }: Window): { start: Date; end: Date } {
  return { start: new Date(start), end: new Date(end) }
}

function showVerification({ id, actor, total, waiting, created_at }: VerificationRow): Verification {
  return {
    id,
    status: waiting > 0 ? 'Running' : 'Completed',
    total,
    done: total - waiting,
    by: actor,
    created_at: formatInstant(created_at),
  }
}

/** Returns the state of every whole window that the period touches. */
export const coverageOfBatchExport: Handler<'coverageOfBatchExport'> = async (request) => {
  const { services, batchExport, query } = request
  const { store, clock } = services
  const { interval, id } = batchExport
  const [from, until] = [readInstant<never>(query.start).getTime(), readInstant<never>(query.end).getTime()]
  assertPeriod(interval, { start: from, end: until })
  const windows = windowsBetween(interval, from, until)
  const { start, end } = touchedPeriod(interval, from, until)
  const now = clock.now()
  const [runs, marks, expectation] = await Promise.all([
    runsBetween(store, batchExport, start, end),
    flaggedMarks(store, [{ id, start, end }]),
    readExpectation(store, batchExport, now),
  ])
  const states = judgeWindows(windows, runs, marks.get(id) ?? [], expectation, now)
  return { interval, start: formatInstant(start), end: formatInstant(end), ...encodeCoverage(states) }
}
