import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { factsPeriod, periodNames } from '../../exports/grid/period.ts'
import { PeriodBar } from '../../exports/grid/period-bar.tsx'
import { useChosenPeriod } from '../../exports/grid/use-period.ts'
import { LedgerSection } from '../../exports/ledger/ledger-section.tsx'
import { batchExportQuery } from '../../queries/exports/batch-exports.ts'
import { instant, oneOf, searchParams } from '../../format/search-params.ts'

const search = searchParams({ cursor: instant, period: oneOf(periodNames), from: instant, to: instant })

export const Route = createFileRoute('/_app/exports/$id/ledger')({
  validateSearch: search,
  component: LedgerTab,
})

function LedgerTab() {
  const { id } = Route.useParams()
  const { projectId } = Route.useRouteContext()
  const { cursor, ...chosen } = Route.useSearch()
  const navigate = Route.useNavigate()
  const { data: batchExport } = useSuspenseQuery(batchExportQuery(projectId, id))
  const usual = factsPeriod(batchExport.interval)
  const { period, bounds } = useChosenPeriod(batchExport.interval, chosen, usual)
  const change = (next: typeof search.types.input) => void navigate({ search: next, resetScroll: false })
  return (
    <div className="flex flex-col gap-3">
      <PeriodBar
        interval={batchExport.interval}
        chosen={period}
        bounds={bounds}
        onChange={(next) => change(next.period === usual ? {} : next)}
      />
      <LedgerSection
        // The key clears the selection when the export or the period changes.
        key={`${id} ${bounds.start}`}
        batchExport={batchExport}
        bounds={bounds}
        cursor={cursor}
        isUsualPeriod={period === usual}
        onCursor={(next) => change({ ...chosen, cursor: next })}
        onDefaultPeriod={() => change({})}
      />
    </div>
  )
}
