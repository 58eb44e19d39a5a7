import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Model } from '../../../contract/exports/batch-export.ts'
import type { PersonExport, PersonExports as Exports } from '../../../contract/recordings/person.ts'
import { useAccount } from '../../account.ts'
import { endpointQuery } from '../../queries/endpoint-query.ts'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { DataTable, type Column } from '../../ui/list/data-table.tsx'
import { WindowTime } from '../../ui/time.tsx'
import { count, counted } from '../../format/amount.ts'
import { shortInterval } from '../../format/interval.ts'

/** The exports that hold rows of a person, with the runs that wrote them. */
export function PersonExports({ id }: { id: string }) {
  const { projectId } = useAccount()
  const params = { project_id: projectId, person_id: id }
  const { data, error, refetch } = useQuery(endpointQuery('exportsOfPerson', { params }))
  return (
    <section aria-label="Exports" className="flex flex-col gap-3">
      {data && data.results.length > 0 && (
        <div>
          {claimsOf(data.results).map((claim) => (
            <p key={claim} className="text-lg">
              {claim}
            </p>
          ))}
          <p className="max-w-200 text-ink-3">{comparedInWords(data)}</p>
        </div>
      )}
      <DataTable
        caption="Exports with this person’s data"
        columns={columns}
        rows={data?.results}
        rowKey={(row) => row.id}
        error={error}
        onRetry={() => void refetch()}
        empty={
          <EmptyState title="No export contains this person’s data">
            {data && comparedInWords(data)}
          </EmptyState>
        }
      />
    </section>
  )
}

/** What an export of each model contains of a person. */
const contents: Record<Model, string> = {
  events: 'events',
  persons: 'the profile',
  recordings: 'recordings',
}

const columns: Column<PersonExport>[] = [
  {
    header: 'Export and newest runs',
    fills: true,
    cell: ({ id, name, filtered, runs }) => (
      <>
        <Link to="/exports/$id" params={{ id }} className="font-medium wrap-anywhere hover:underline">
          {name}
        </Link>
        {filtered && <span className="text-ink-3"> selects some rows</span>}
        <ul aria-label={`Newest runs of ${name}`} className="flex flex-wrap gap-x-4">
          {runs.map((run) => (
            <li key={run.id}>
              <Link
                to="/runs/$runId"
                params={{ runId: run.id }}
                className="text-run-ink underline-offset-3 hover:underline"
              >
                <WindowTime start={run.data_interval_start} end={run.data_interval_end} />
              </Link>
            </li>
          ))}
        </ul>
      </>
    ),
  },
  { header: 'Contains', hiddenBelow: 'sm', cell: ({ model }) => contents[model] },
  { header: 'Every', hiddenBelow: 'sm', cell: ({ interval }) => shortInterval(interval) },
  { header: 'Windows', end: true, cell: ({ windows }) => count(windows) },
]

/** Says what exports contain of a person: `3 exports contain events of this person in 14 completed windows.` */
export function claimsOf(exports: readonly PersonExport[]): string[] {
  return [...Map.groupBy(exports, ({ model }) => model)].map(([model, alike]) => {
    const windows = alike.reduce((sum, each) => sum + each.windows, 0)
    const contain = `${counted(alike.length, 'export')} ${alike.length === 1 ? 'contains' : 'contain'}`
    return `${contain} ${contents[model]} of this person in ${counted(windows, 'completed window')}.`
  })
}

/** Says which exports were compared with the person's rows, and how. */
export function comparedInWords({ checked, total }: Pick<Exports, 'checked' | 'total'>): string {
  if (total === 0) return 'This project has no exports.'
  const which =
    checked === total ? `all ${counted(total, 'export')}` : `${count(checked)} of ${counted(total, 'export')}`
  return `Derived from the completed runs of ${total === 1 && checked === 1 ? 'the only export' : which}, by this person’s distinct ids and each export’s current events and query. Files at the destination may have been changed or deleted since.`
}
