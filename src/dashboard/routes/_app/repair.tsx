import { createFileRoute } from '@tanstack/react-router'
import { PlanList } from '../../home/repair/plan-list.tsx'
import { PlanPage } from '../../home/repair/plan-page.tsx'

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
