import { createFileRoute, Link } from '@tanstack/react-router'
import { PlanPage } from '../../home/repair/plan-page.tsx'
import { useQuery } from '@tanstack/react-query'
import type { RepairPlan } from '../../../contract/repair/repair-plan.ts'
import { useAccount } from '../../account.ts'
import { repairPlansQuery } from '../../queries/exports/repair-plans.ts'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { Progress } from '../../ui/feedback/progress.tsx'
import { DataTable, type Column } from '../../ui/list/data-table.tsx'
import { CursorPager } from '../../ui/list/pager.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Status } from '../../ui/status.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import { counted } from '../../format/amount.ts'
import { planStatusInWords } from '../../home/repair/repair-words.ts'
import { RepairButton } from '../../home/repair/repair-button.tsx'

/** `offset`: number of newer steps on the pages before; `export`: the export to repair; `cursor`: page of the list of plans. */
type RepairSearch = { plan?: string; offset?: number; export?: string; cursor?: string }

export const Route = createFileRoute('/_app/repair')({
  // A schema would be part of the first load of every page; the component reads the values as strictly.
  validateSearch: (search: RepairSearch) => search,
  component: RepairPage,
})

function RepairPage() {
  const { plan, offset, export: exportId, cursor } = Route.useSearch()
  const navigate = Route.useNavigate()
  if (plan === undefined)
    return (
      <PlanList
        exportId={textOf(exportId)}
        cursor={textOf(cursor)}
        onCursor={(next) =>
          void navigate({
            search: { ...(exportId !== undefined && { export: exportId }), ...(next && { cursor: next }) },
          })
        }
      />
    )
  return (
    <PlanPage
      id={String(plan)}
      offset={Math.max(0, Math.trunc(Number(offset)) || 0)}
      onOffset={(next) => void navigate({ search: { plan, ...(next > 0 && { offset: next }) } })}
    />
  )
}

/** The router parses values in the address, so that a text of digits is a number. */
function textOf(value: string | number | undefined): string | undefined {
  return value === undefined ? undefined : String(value)
}

type PlanListProps = {
  /** The export that the button repairs; undefined for all. */
  exportId: string | undefined
  cursor: string | undefined
  onCursor: (cursor: string | undefined) => void
}

/** All repair plans of the project, newest first. */
function PlanList({ exportId, cursor, onCursor }: PlanListProps) {
  const { projectId } = useAccount()
  const { data, error, refetch, isPlaceholderData } = useQuery(repairPlansQuery(projectId, cursor))
  return (
    <>
      <PageHeader title="Repair plans">
        <RepairButton exportIds={exportId === undefined ? undefined : [exportId]}>
          {exportId === undefined ? 'Plan repair of all' : 'Plan a repair'}
        </RepairButton>
      </PageHeader>
      <p className="mt-1 mb-3 max-w-160 text-ink-2">
        A plan exports every missing, failed and short window of the last 30 days again, then verifies it.
      </p>
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
      {data && <CursorPager newer={data.previous} older={data.next} onChange={onCursor} />}
    </>
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
