import {
  failureAdvice,
  failureCausesMax,
  failureExportsMax,
  failurePeriodMs,
  failurePeriodMsMax,
  readFailureKey,
  FailureCauseGroup,
  ignoreMsMax,
  type ProblemState,
} from '../../../contract/runs/failure-cause.ts'
import { formatInstant } from '../../../contract/instant.ts'
import { errorInWords } from '../../../contract/runs/run-error.ts'
import { invalidInput } from '../../problems/api-error.ts'
import type { Services } from '../../services.ts'
import {
  errorsOfRuns,
  failuresByCause,
  knownCauses,
  type ExportFailures,
} from '../../store/runs/failure-causes.ts'
import { triageOf, type TriageRow } from '../../store/triage/triage.ts'
import { problemState } from '../../store/triage/triage-state.ts'
import { assigneeTest, changeTriage, isMine, showAssignees, showTriage } from '../triage.ts'
import type { Handler } from '../handler.ts'
import { shownAs } from '../shown-as.ts'
import { readInstant } from '../given-times.ts'

/** Returns why runs of a project failed in a period: causes with windows left first, then the newest ones. */
export const failureCauses: Handler<'failureCauses'> = async ({ services, caller, project, query }) => {
  const { store } = services
  const now = services.clock.now()
  const projectId = project.id
  const period = failurePeriodOf(services, query)
  const failures = await failuresByCause(store, { ...period, projectId, batchExport: query.batch_export })
  const byCause = Map.groupBy(failures, ({ cause }) => cause)
  const triage = await triageOf(store, project, 'problem', [...byCause.keys()])
  const causes = [...byCause].map(([key, exports]) => ({
    key,
    exports,
    left: sumOf(exports, 'windows_left'),
    newest: newestOf(exports),
    triage: triage.get(key),
    state: problemState(triage.get(key), now),
  }))
  const matches = assigneeTest(caller, query.assignee) ?? (() => true)
  const ofAssignee = causes.filter((cause) => matches(cause.triage))
  const groups = ofAssignee
    .filter(({ state }) => query.state === undefined || state === query.state)
    .toSorted(
      (one, other) =>
        Number(other.left > 0) - Number(one.left > 0) ||
        other.newest.last_seen.getTime() - one.newest.last_seen.getTime(),
    )
  const shown = groups.slice(0, failureCausesMax)
  const errors = await errorsOfRuns(
    store,
    shown.map(({ newest }) => newest.run),
  )
  const matching = groups.flatMap(({ exports }) => exports)
  const countOf = (state: ProblemState) => ofAssignee.filter((cause) => cause.state === state).length
  return {
    start: formatInstant(period.start),
    end: formatInstant(period.end),
    failures: sumOf(matching, 'failures'),
    windows: sumOf(matching, 'windows'),
    windows_left: sumOf(matching, 'windows_left'),
    causes_count: groups.length,
    counts: {
      open: countOf('open'),
      ignored: countOf('ignored'),
      mine: causes.filter((cause) => cause.state === 'open' && isMine(caller, cause.triage)).length,
    },
    results: shown.map(({ key, exports, newest, triage: row }) => ({
      ...showCause(key, exports, newest, errors.get(newest.run) ?? ''),
      ...showProblem(row, now),
    })),
  }
}

/** Assigns all these problems and sets their state, or none if one of them does not exist. */
export const updateProblems: Handler<'updateProblems'> = async (request) => {
  const { services, project, body } = request
  const now = services.clock.now()
  const ignoredUntil = readInstant(body.ignored_until)
  if (ignoredUntil && (ignoredUntil.getTime() <= now || ignoredUntil.getTime() > now + ignoreMsMax))
    throw invalidInput("'ignored_until' must be in the future, within a year.", ['ignored_until'])
  const known = await knownCauses(services.store, project.id, new Date(now - failurePeriodMsMax), body.causes)
  const unknown = body.causes.find((key) => !known.includes(key))
  if (unknown !== undefined)
    throw invalidInput('No run has failed with one of these causes: list the causes again.', ['causes'])
  // The pattern of the message.
  const names = new Map(body.causes.map((key) => [key, key.split('|').slice(2).join('|')]))
  const stateOf = (row: TriageRow) => problemState(row, now)
  const rows = await changeTriage(request, 'problem', { names, stateOf }, { ...body, ignoredUntil })
  return { results: rows.map((row) => ({ key: row.key, ...showProblem(row, now) })) }
}

export const problemAssignees: Handler<'problemAssignees'> = (request) => showAssignees(request, 'problem')

function showProblem(row: TriageRow | undefined, now: number) {
  const state = problemState(row, now)
  const until = row?.ignored_until
  return {
    state,
    ignored_until: state === 'ignored' && until ? formatInstant(until) : null,
    ...showTriage(row),
  }
}

/**
 * Returns the period in which failures are looked for, by default the last `failurePeriodMs`.
 * @throws ApiError 400 if it is empty or too long.
 */
export function failurePeriodOf(
  { clock }: Pick<Services, 'clock'>,
  given: { start?: string | undefined; end?: string | undefined },
): { start: Date; end: Date } {
  // Includes the runs that end in this millisecond.
  const end = readInstant(given.end) ?? new Date(clock.now() + 1)
  const start = readInstant(given.start) ?? new Date(end.getTime() - failurePeriodMs)
  const length = end.getTime() - start.getTime()
  if (length <= 0) throw invalidInput("'start' must be before 'end'.", ['start'])
  if (length > failurePeriodMsMax) {
    const days = failurePeriodMsMax / 86_400_000
    throw invalidInput(`The period has more than ${days} days: move 'start' and 'end' closer together.`, [
      'start',
    ])
  }
  return { start, end }
}

function showCause(key: string, exports: readonly ExportFailures[], newest: ExportFailures, message: string) {
  const { class: failure, destination } = readFailureKey(key)
  const byNeed = exports.toSorted(
    (one, other) => other.windows_left - one.windows_left || other.failures - one.failures,
  )
  return {
    key,
    class: failure,
    title: errorInWords(message).headline,
    advice: failureAdvice[failure],
    destination,
    failures: sumOf(exports, 'failures'),
    windows: sumOf(exports, 'windows'),
    windows_left: sumOf(exports, 'windows_left'),
    first_seen: formatInstant(Math.min(...exports.map((one) => one.first_seen.getTime()))),
    last_seen: formatInstant(newest.last_seen),
    first_window: formatInstant(Math.min(...exports.map((one) => one.first_window.getTime()))),
    message,
    run: newest.run,
    exports: byNeed
      .slice(0, failureExportsMax)
      .map((one) => shownAs(FailureCauseGroup.shape.exports.element, one)),
    exports_count: exports.length,
    exports_running: exports.filter(({ paused }) => !paused).length,
  }
}

function sumOf(rows: readonly ExportFailures[], count: 'failures' | 'windows' | 'windows_left'): number {
  return rows.reduce((sum, row) => sum + row[count], 0)
}

function newestOf(exports: readonly ExportFailures[]): ExportFailures {
  return exports.reduce((newest, one) => (one.last_seen > newest.last_seen ? one : newest))
}
