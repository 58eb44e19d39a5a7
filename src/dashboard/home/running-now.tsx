import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { ProjectHealth } from '../../contract/repair/project-health.ts'
import { useAccount } from '../account.ts'
import { repairPlansQuery } from '../queries/exports/repair-plans.ts'
import { Progress } from '../ui/feedback/progress.tsx'
import { WindowTime } from '../ui/time.tsx'
import { counted } from '../format/amount.ts'

/** The runs, backfills and repair plans that are in progress. */
export function RunningNow({ running }: { running: ProjectHealth['running'] }) {
  const { runs, newest, backfills } = running
  const { projectId } = useAccount()
  const { data: plans } = useQuery(repairPlansQuery(projectId))
  const repairing = plans?.results.filter(({ status }) => status === 'Running') ?? []
  const more = runs - newest.length
  return (
    <section aria-labelledby="running">
      <h2 id="running" className="mb-1.5">
        Running now
      </h2>
      {newest.length + backfills.length + repairing.length === 0 && <p className="text-ink-3">Nothing.</p>}
      <ul className="flex flex-col gap-1.5">
        {repairing.map(({ id, windows, finished }) => (
          <Item key={id} share={windows === 0 ? null : Math.min(1, finished / windows)} label="Repair">
            <Link to="/repair" search={{ plan: id }} className="font-medium hover:underline">
              Repair of {counted(windows, 'window')}
            </Link>
          </Item>
        ))}
        {backfills.map(({ id, export: of, total_runs, finished_runs }) => (
          <Item
            key={id}
            share={total_runs === 0 ? null : finished_runs / total_runs}
            label={`Backfill of ${of.name}`}
          >
            <Link to="/exports/$id/backfills" params={{ id: of.id }} className="font-medium hover:underline">
              {of.name}
            </Link>{' '}
            <span className="text-ink-3">backfill of {counted(total_runs, 'run')}</span>
          </Item>
        ))}
        {newest.map((run) => (
          <Item
            key={run.id}
            share={
              run.records_total_count ? Math.min(1, run.records_completed / run.records_total_count) : null
            }
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
    </section>
  )
}

function Item({ share, label, children }: { share: number | null; label: string; children: ReactNode }) {
  return (
    <li className="flex flex-wrap items-center gap-x-3">
      <span className="min-w-0 flex-1 wrap-anywhere">{children}</span>
      <Progress share={share} label={label} />
    </li>
  )
}
