import { useQuery } from '@tanstack/react-query'
import { createFileRoute, redirect, Link } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { allowsScope, type Scope } from '../../../contract/accounts/scopes.ts'
import { useAccount } from '../../account.ts'
import { CaptureActivity } from '../../home/capture-activity.tsx'
import { Changes } from '../../home/changes.tsx'
import { ExportStrips } from '../../home/export-strips.tsx'
import { FirstSteps } from '../../home/first-steps.tsx'
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
  beforeLoad: ({ context: { apiKey } }) => {
    const allows = (scope: Scope) => allowsScope(apiKey.scopes, scope)
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
  const { projectId, apiKey } = useAccount()
  const { zone } = usePreferences()
  const [since] = useState(() => notePageOpened('home', `${projectId}.${apiKey.id}`))
  const { data, error, refetch } = useQuery(healthQuery(projectId, since))
  // From the overview, like the list and the incidents, so that all name the same time.
  const { data: failing = null } = useQuery({
    ...overviewQuery({ projectId }),
    select: ({ results }) => firstFailure(results),
  })
  return (
    <>
      <PageHeader title="Home">
        {data && data.exports.to_repair > 0 && <RetryToday />}
        {data && data.exports.total > 0 && <RepairAll windows={data.exports.to_repair} />}
      </PageHeader>
      {error && <ListProblem error={error} onRetry={() => void refetch()} />}
      {!data && !error && <ListSkeleton />}
      {data && (
        <output className="mt-2 block text-lg">
          {healthSentence(data, failing === null ? null : briefTime(failing, zone, Date.parse(data.at)))}
        </output>
      )}
      {data?.is_sample && <SampleNote />}
      {data && <FirstSteps health={data} />}
      {data && data.exports.total === 0 && data.capture?.last_recording && (
        <div className="mt-6">
          <Visitors />
        </div>
      )}
      {data && data.exports.total > 0 && (
        <div className="mt-5 grid gap-x-10 gap-y-6 lg:grid-cols-[minmax(0,1fr)_minmax(260px,340px)]">
          <div className="flex min-w-0 flex-col gap-6">
            <ExportStrips health={data} />
            {data.capture?.last_recording && <Visitors />}
          </div>
          <div className="flex flex-col gap-6">
            <RowsToday rows={data.rows} at={data.at} />
            <Changes changes={data.changes ?? []} more={data.more_changes} since={since} />
            <RunningNow running={data.running} />
            <CaptureActivity capture={data.capture} />
          </div>
        </div>
      )}
    </>
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
    <>
      <Link to="/problems" className="text-ink-2 underline underline-offset-3 hover:text-ink">
        Problems
      </Link>
      <Button look={windows === 0 ? 'plain' : 'primary'} reason={reason} busy={busy} onClick={plan}>
        {label} <KeyHint of="r" />
      </Button>
    </>
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
