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
import { givenText, index, searchParams } from '../../format/search-params.ts'
import { planStatusInWords } from '../../home/repair/repair-words.ts'
import { RepairButton } from '../../home/repair/repair-button.tsx'

export const Route = createFileRoute('/_app/repair')({
  // `offset`: newer steps on the pages before; `export`: the export to repair; `cursor`: page of the list of plans.
  validateSearch: searchParams({ plan: givenText, offset: index, export: givenText, cursor: givenText }),
  component: RepairPage,
})

function RepairPage() {
  const { plan } = Route.useSearch()
  return plan === undefined ? <PlanList /> : <PlanPage id={plan} />
}

/** All repair plans of the project, newest first. */
function PlanList() {
  const { export: exportId, cursor } = Route.useSearch()
  const navigate = Route.useNavigate()
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
      {data && (
        <CursorPager
          newer={data.previous}
          older={data.next}
          onChange={(next) => void navigate({ search: { export: exportId, cursor: next } })}
        />
      )}
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
