import { useQuery } from '@tanstack/react-query'
import { createFileRoute, redirect, Link } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { allowsScope, type Scope } from '../../../contract/accounts/scopes.ts'
import { useAccount } from '../../account.ts'
import { CaptureActivity } from '../../home/capture-activity.tsx'
import { Changes } from '../../home/changes.tsx'
import { ExportStrips } from '../../home/export-strips.tsx'
import { FirstSteps } from '../../home/first-steps.tsx'
import { Mentions } from '../../home/mentions.tsx'
import { healthSentence } from '../../home/health-sentence.ts'
import { Section } from '../../ui/section.tsx'
import { ListSkeleton, ListProblem } from '../../ui/list/list-notes.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { notePageOpened } from '../../format/last-visit.ts'
import { firstFailure } from '../../format/export-state.ts'
import { usePreferences } from '../../format/preferences.ts'
import { briefTime } from '../../format/time.ts'
import type { ResponseOf } from '../../../contract/endpoints.ts'
import { formatInstant } from '../../../contract/instant.ts'
import { endpointQuery } from '../../queries/endpoint-query.ts'
import { live, paceOf } from '../../queries/live.ts'
import { Button } from '../../ui/controls/button.tsx'
import { KeyHint } from '../../ui/key-hint.tsx'
import { useKeys } from '../../ui/use-keys.ts'
import { count, counted } from '../../format/amount.ts'
import { useRepair } from '../../exports/repair/use-repair.ts'
import type { ProjectHealth } from '../../../contract/repair/project-health.ts'
import { Visitors } from '../../home/visitors.tsx'
import { SampleNote } from '../../home/sample-note.tsx'
import { RetryToday } from '../../home/retry-today.tsx'
import { RowsToday } from '../../home/rows-today.tsx'
import { overviewQuery } from '../../queries/exports/overview.ts'
import { repairPlansQuery } from '../../queries/exports/repair-plans.ts'
import { Progress } from '../../ui/feedback/progress.tsx'
import { WindowTime } from '../../ui/time.tsx'

export const Route = createFileRoute('/_app/')({
  beforeLoad: ({ context: { scopes } }) => {
    const allows = (scope: Scope) => allowsScope(scopes, scope)
    // The home page is about exports; a key for recordings alone starts with these.
    if (!allows('batch_export:read') && allows('session_recording:read'))
      throw redirect({ to: '/recordings', replace: true })
  },
  component: HomePage,
})

function HomePage() {
  const { projectId } = useAccount()
  return <Home key={projectId} />
}

function Home() {
  const { projectId, actorId } = useAccount()
  const { zone } = usePreferences()
  const [since] = useState(() => notePageOpened('home', `${projectId}.${actorId}`))
  const health = useQuery(healthQuery(projectId, since))
  const { data } = health
  // Strips and times of failures are those of the list and of the incidents.
  const overview = useQuery(overviewQuery({ projectId }))
  const failing = firstFailure(overview.data?.results ?? [])
  const error = health.error ?? overview.error
  return (
    <>
      <PageHeader title="Home">
        {data && data.exports.total > 0 && (
          <Link
            to="/problems"
            className="text-ink-2 underline underline-offset-3 hover:text-ink max-sm:hidden"
          >
            Problems
          </Link>
        )}
        {data && data.exports.to_repair > 0 && <RetryToday />}
        {data && data.exports.total > 0 && <RepairAll windows={data.exports.to_repair} />}
      </PageHeader>
      {error && (
        <ListProblem error={error} onRetry={() => void Promise.all([health.refetch(), overview.refetch()])} />
      )}
      {!data && !error && <ListSkeleton />}
      {data && (
        <output className="mt-2 block text-lg">
          {healthSentence(data, failing === null ? null : briefTime(failing, zone, Date.parse(data.at)))}
        </output>
      )}
      {data?.is_sample && <SampleNote />}
      <Mentions />
      {data && <FirstSteps health={data} />}
      {data && data.exports.total === 0 && data.capture?.last_recording && (
        <div className={halves}>
          <Visitors />
        </div>
      )}
      {data && data.exports.total > 0 && <Halves health={data} overview={overview.data} since={since} />}
    </>
  )
}

const halves = 'mt-5 grid gap-x-10 gap-y-6 min-[1180px]:grid-cols-[minmax(0,6fr)_minmax(0,5fr)]'

type HalvesProps = {
  health: ProjectHealth
  overview: ResponseOf<'overviewOfBatchExports'> | undefined
  since: number | null
}

/** The exports on the left, what happened to visitors on the right. */
function Halves({ health, overview, since }: HalvesProps) {
  const { rows, at, changes, more_changes: more, running, capture } = health
  const numbers = (
    <>
      <RowsToday rows={rows} at={at} />
      <RunningNow running={running} />
    </>
  )
  return (
    <div className={halves}>
      <div className="flex min-w-0 flex-col gap-6">
        <ExportStrips health={health} overview={overview} />
        <Changes changes={changes ?? []} more={more} since={since} />
        {capture?.last_recording && numbers}
      </div>
      <div className="flex min-w-0 flex-col gap-6">
        {capture?.last_recording ? <Visitors /> : numbers}
        <CaptureActivity capture={capture} />
      </div>
    </div>
  )
}

/** Whether everything in a project is fine; with `since` (milliseconds), what changed after that time. */
function healthQuery(projectId: string, since: number | null) {
  return {
    ...endpointQuery('healthOfProject', {
      params: { project_id: projectId },
      query: since === null ? {} : { since: formatInstant(since) },
    }),
    ...live(({ exports, running, capture }: ResponseOf<'healthOfProject'>) =>
      paceOf(
        running.runs > 0 ||
          running.backfills.length > 0 ||
          exports.total === 0 ||
          capture?.last_event === null ||
          capture?.last_recording === null,
      ),
    ),
  }
}

/** Plans the repair of all windows of the project's exports that need to be exported again. */
function RepairAll({ windows }: { windows: number }) {
  const { plan, busy, reason: denied } = useRepair(undefined)
  const reason =
    denied ?? (windows === 0 ? 'No window of the last 30 days is missing, failed or short.' : null)
  const label = windows === 0 ? 'Repair all' : `Repair all (${count(windows)})`
  useKeys({ r: { does: label, reason, run: plan } })
  return (
    <Button look={windows === 0 ? 'plain' : 'primary'} reason={reason} busy={busy} onClick={plan}>
      {label} <KeyHint of="r" />
    </Button>
  )
}

/** The runs, backfills and repair plans that are in progress. */
function RunningNow({ running }: { running: ProjectHealth['running'] }) {
  const { runs, newest, backfills } = running
  const { projectId } = useAccount()
  const { data: plans } = useQuery(repairPlansQuery(projectId))
  const repairing = plans?.results.filter(({ status }) => status === 'Running') ?? []
  const more = runs - newest.length
  return (
    <Section title="Running now">
      {newest.length + backfills.length + repairing.length === 0 && <p className="text-ink-3">Nothing.</p>}
      <ul className="flex flex-col gap-1.5">
        {repairing.map(({ id, windows, finished }) => (
          <Item key={id} share={shareOf(finished, windows)} label="Repair">
            <Link to="/repair" search={{ plan: id }} className="font-medium hover:underline">
              Repair of {counted(windows, 'window')}
            </Link>
          </Item>
        ))}
        {backfills.map(({ id, export: of, total_runs, finished_runs }) => (
          <Item key={id} share={shareOf(finished_runs, total_runs)} label={`Backfill of ${of.name}`}>
            <Link to="/exports/$id/backfills" params={{ id: of.id }} className="font-medium hover:underline">
              {of.name}
            </Link>{' '}
            <span className="text-ink-3">backfill of {counted(total_runs, 'run')}</span>
          </Item>
        ))}
        {newest.map((run) => (
          <Item
            key={run.id}
            share={shareOf(run.records_completed, run.records_total_count ?? 0)}
            label={`Run of ${run.export.name}`}
          >
            <Link to="/runs/$runId" params={{ runId: run.id }} className="font-medium hover:underline">
              {run.export.name}
            </Link>{' '}
            <span className="text-ink-3">
              <WindowTime start={run.start} end={run.end} />
            </span>
          </Item>
        ))}
      </ul>
      {more > 0 && <p className="mt-1.5 text-ink-3">{counted(more, 'more run')}.</p>}
    </Section>
  )
}

function shareOf(done: number, total: number): number | null {
  return total === 0 ? null : Math.min(1, done / total)
}

function Item({ share, label, children }: { share: number | null; label: string; children: ReactNode }) {
  return (
    <li className="flex flex-wrap items-center gap-x-3">
      <span className="min-w-0 flex-1 wrap-anywhere">{children}</span>
      <Progress share={share} label={label} />
    </li>
  )
}
