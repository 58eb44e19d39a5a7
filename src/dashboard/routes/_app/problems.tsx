import { useQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { useState } from 'react'
import { CauseList, RetryAllCauses } from '../../exports/failures/cause-list.tsx'
import { PlanList } from '../../exports/repair/plan-list.tsx'
import { defaultFailureDays, failureCausesQuery, failureDays } from '../../queries/exports/failure-causes.ts'
import { useAccount } from '../../account.ts'
import { assigneeParam, nothingAssigned } from '../../ui/assignee/assignee-filter.ts'
import { AssigneeChips } from '../../ui/assignee/assignee-chips.tsx'
import { FilterChip } from '../../ui/controls/filter-chip.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { ListNotes, ListSkeleton, NoMatches } from '../../ui/list/list-notes.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { SelectChip } from '../../ui/controls/select-chip.tsx'
import { causesInWords } from '../../format/failure.ts'
import { givenText, integer, oneOf, searchParams } from '../../format/search-params.ts'

export const Route = createFileRoute('/_app/problems')({
  // `export`: the export that "Plan a repair" is for; `cursor`: page of the plans.
  validateSearch: searchParams({
    days: integer,
    state: oneOf(['ignored']),
    assignee: assigneeParam,
    export: givenText,
    cursor: givenText,
  }),
  component: ProblemsPage,
})

const choices = failureDays.map(
  (days) => [String(days), days === 1 ? 'last day' : `last ${days} days`] as const,
)

/** Why runs failed, by cause, and the plans that repair what is missing. */
function ProblemsPage() {
  const { projectId } = Route.useRouteContext()
  const { days: given, state = 'open', assignee, ...plans } = Route.useSearch()
  const days = failureDays.find((each) => each === given) ?? defaultFailureDays
  const navigate = Route.useNavigate()
  const { user } = useAccount()
  const [openedAt] = useState(Date.now)
  const { data, error, refetch } = useQuery(
    failureCausesQuery(projectId, days, openedAt, { state, ...(assignee && { assignee }) }),
  )
  const show = (next: number) =>
    void navigate({
      search: (before) => ({
        ...before,
        days: failureDays.find((each) => each === next && each !== defaultFailureDays),
      }),
      replace: true,
    })
  const filter = (change: { state?: 'ignored' | undefined; assignee?: string | undefined }) =>
    void navigate({ search: (before) => ({ ...before, ...change }), replace: true })
  const counts = data?.counts
  const longest = failureDays.at(-1) ?? defaultFailureDays
  return (
    <>
      <PageHeader
        title="Problems"
        aside={data && data.causes_count > 0 && <output className="text-ink-3">{causesInWords(data)}</output>}
      >
        {data && <RetryAllCauses {...data} />}
      </PageHeader>
      <div className="my-3 flex flex-wrap items-center gap-3">
        <SelectChip
          label="Period"
          value={String(days)}
          choices={choices}
          usual={String(defaultFailureDays)}
          onChange={(chosen) => show(Number(chosen))}
        />
        <fieldset aria-label="State" className="flex flex-wrap gap-1">
          <FilterChip
            pressed={state === 'open'}
            amount={counts?.open}
            onClick={() => filter({ state: undefined })}
          >
            Open
          </FilterChip>
          <FilterChip
            pressed={state === 'ignored'}
            amount={counts?.ignored}
            onClick={() => filter({ state: 'ignored' })}
          >
            Ignored
          </FilterChip>
        </fieldset>
        <AssigneeChips
          value={assignee}
          mine={counts?.mine}
          isPerson={user.role !== null}
          rows={data?.results}
          onChange={(chosen) => filter({ assignee: chosen })}
        />
        {data && data.causes_count > data.results.length && (
          <span className="text-ink-3">The first {data.results.length} causes are shown.</span>
        )}
      </div>
      <ListNotes
        count={data?.results.length}
        error={error}
        onRetry={() => void refetch()}
        empty={
          <EmptyState title="No run has failed">
            <p>Failed runs of all exports appear here, grouped by cause, with what to do about them.</p>
          </EmptyState>
        }
        filteredEmpty={
          assignee !== undefined ? (
            <NoMatches
              title={nothingAssigned(assignee, `${state} problems`)}
              clear={`Show all ${state} problems`}
              onClear={() => filter({ assignee: undefined })}
            />
          ) : state === 'ignored' ? (
            <NoMatches
              title="No ignored problems"
              clear="Show open problems"
              onClear={() => filter({ state: undefined })}
            />
          ) : counts?.ignored ? (
            <NoMatches
              title="No open problems"
              clear="Show ignored problems"
              onClear={() => filter({ state: 'ignored' })}
            />
          ) : days === longest ? null : (
            <NoMatches
              title="No run has failed in this period"
              clear={`Show the last ${longest} days`}
              onClear={() => show(longest)}
            />
          )
        }
        loading={<ListSkeleton />}
      >
        <CauseList causes={data?.results ?? []} start={data?.start ?? ''} />
      </ListNotes>
      <PlanList
        exportId={plans.export}
        cursor={plans.cursor}
        onPage={(cursor) => void navigate({ search: (before) => ({ ...before, cursor }) })}
      />
    </>
  )
}
