import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { RepairPlan } from '../../../contract/repair/repair-plan.ts'
import { useAccount } from '../../account.ts'
import { overviewQuery } from '../../queries/exports/overview.ts'
import { repairPlansQuery } from '../../queries/exports/repair-plans.ts'
import { Button } from '../../ui/controls/button.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { Progress } from '../../ui/feedback/progress.tsx'
import { DataTable, type Column } from '../../ui/list/data-table.tsx'
import { CursorPager } from '../../ui/list/pager.tsx'
import { Status } from '../../ui/status.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import { counted } from '../../format/amount.ts'
import { Section } from '../../ui/section.tsx'
import { planStatusInWords } from './repair-words.ts'
import { useRepair } from './use-repair.ts'

type PlanListProps = {
  /** The only export that the button plans to repair. */
  exportId: string | undefined
  cursor: string | undefined
  onPage: (cursor: string | undefined) => void
}

/** All repair plans of the project, newest first. */
export function PlanList({ exportId, cursor, onPage }: PlanListProps) {
  const { projectId } = useAccount()
  const { plan, busy, reason } = useRepair(exportId === undefined ? undefined : [exportId])
  // The sidebar has fetched the overview.
  const { data: overview } = useQuery(overviewQuery({ projectId }))
  const name = overview?.results.find(({ id }) => id === exportId)?.name
  const { data, error, refetch, isPlaceholderData } = useQuery(repairPlansQuery(projectId, cursor))
  return (
    <Section title="Repair plans" className="mt-8">
      <div className="mb-3 flex flex-wrap items-center justify-between gap-3">
        <p className="max-w-160 text-ink-2">
          A plan exports every missing, failed and short window of the last 30 days again, then verifies it.
        </p>
        <Button reason={reason} busy={busy} onClick={plan}>
          {exportId === undefined ? 'Plan repair of all exports' : 'Plan a repair '}
          {name !== undefined && <span className="max-w-80 truncate">of {name}</span>}
        </Button>
      </div>
      <DataTable
        caption="Repair plans, newest first"
        columns={columns}
        rows={data?.results}
        rowKey={({ id }) => id}
        outdated={isPlaceholderData}
        error={error}
        onRetry={() => void refetch()}
        empty={
          <EmptyState title="No repair plans yet">
            <p>Nothing runs until you start the plan.</p>
          </EmptyState>
        }
      />
      {data && <CursorPager newer={data.previous} older={data.next} onChange={onPage} />}
    </Section>
  )
}

const columns: readonly Column<RepairPlan>[] = [
  {
    header: 'Plan',
    fills: true,
    cell: ({ id, windows, exports, by }) => (
      <>
        <Link to="/repair" search={{ plan: id }} className="font-medium hover:underline">
          {counted(windows, 'window')} of {counted(exports, 'export')}
        </Link>
        <span className="block text-xs text-ink-3">by {by}</span>
      </>
    ),
  },
  {
    header: 'State',
    cell: (plan) => {
      const { label, tone } = planStatusInWords(plan)
      return <Status tone={tone}>{label}</Status>
    },
  },
  {
    header: 'Proven',
    hiddenBelow: 'sm',
    cell: ({ status, proven, windows }) =>
      status === 'Planned' ? null : (
        <Progress share={windows === 0 ? null : Math.min(1, proven / windows)} label="Windows proven" />
      ),
  },
  { header: 'Planned', hiddenBelow: 'sm', cell: ({ created_at }) => <RelativeTime time={created_at} /> },
]
