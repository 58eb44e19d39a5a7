import { useQuery } from '@tanstack/react-query'
import { createFileRoute, stripSearchParams } from '@tanstack/react-router'
import { z } from 'zod'
import { writeReason } from '../../../contract/batch-export-run.ts'
import type { BatchExport } from '../../../contract/batch-export.ts'
import { exportColumns } from '../../exports/export-columns.tsx'
import { batchExportsQuery } from '../../queries/batch-exports.ts'
import { ButtonLink } from '../../ui/button-link.tsx'
import { Button } from '../../ui/button.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Icon } from '../../ui/icon.tsx'
import { OffsetPager } from '../../ui/pager.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import { SelectChip } from '../../ui/select-chip.tsx'
import { counted } from '../../words/amount.ts'
import { destinationPlace } from '../../words/destination.ts'
import { exportState, exportStates } from '../../words/export-state.ts'

const pageSize = 100
const searchable = 1000

const defaults = { q: '', state: 'all', offset: 0 } as const

export const Route = createFileRoute('/_app/exports/')({
  validateSearch: z.object({
    q: z.string().catch(defaults.q).default(defaults.q),
    state: z
      .enum(['all', ...exportStates])
      .catch(defaults.state)
      .default(defaults.state),
    offset: z.int().nonnegative().catch(defaults.offset).default(defaults.offset),
  }),
  search: { middlewares: [stripSearchParams(defaults)] },
  loaderDeps: ({ search }) => pageOf(search),
  loader: ({ context: { queryClient, projectId }, deps }) => {
    void queryClient.prefetchQuery(batchExportsQuery(projectId, deps))
  },
  component: ExportsPage,
})

type Search = { q: string; state: string; offset: number }

/** A filter looks through as many exports as one answer holds. */
function pageOf({ q, state, offset }: Search): { limit: number; offset: number } {
  return q !== '' || state !== 'all' ? { limit: searchable, offset: 0 } : { limit: pageSize, offset }
}

function ExportsPage() {
  const { projectId, project, apiKey } = Route.useRouteContext()
  const search = Route.useSearch()
  const navigate = Route.useNavigate()
  const list = useQuery(batchExportsQuery(projectId, pageOf(search)))
  const filtered = search.q !== '' || search.state !== 'all'
  const rows = list.data?.results.filter((item) => matches(item, search, list.dataUpdatedAt))
  const change = (part: Partial<typeof search>) =>
    void navigate({ search: (now) => ({ ...now, offset: 0, ...part }), replace: true })
  return (
    <>
      <PageHeader
        title="Batch exports"
        aside={list.data && <span className="text-ink-3">{`${list.data.count} in ${project.name}`}</span>}
      >
        <NewExport look="primary" reason={writeReason(apiKey.scopes)} />
      </PageHeader>
      <div className="my-3.5 flex flex-wrap items-center gap-2">
        <SearchField label="Search exports" value={search.q} onSearch={(q) => change({ q })} />
        <SelectChip
          label="State"
          value={search.state}
          choices={[['all', 'all'], ...exportStates.map((state) => [state, state] as const)]}
          onChange={(state) => change({ state })}
        />
        {filtered && rows && (
          <output className="text-ink-3">
            {counted(rows.length, 'match', 'matches')}
            {(list.data?.count ?? 0) > searchable && ` among the newest ${searchable}`}
          </output>
        )}
      </div>
      <DataTable
        caption="Batch exports"
        columns={exportColumns}
        rows={rows}
        rowKey={(row) => row.id}
        outdated={list.isPlaceholderData}
        error={list.error}
        onRetry={() => void list.refetch()}
        empty={<NoExports reason={writeReason(apiKey.scopes)} />}
        filteredEmpty={
          filtered ? (
            <EmptyState title="No export matches">
              <Button onClick={() => change(defaults)}>Clear the filter</Button>
            </EmptyState>
          ) : null
        }
      />
      {list.data && !filtered && (
        <OffsetPager
          offset={search.offset}
          limit={pageSize}
          count={list.data.count}
          onChange={(offset) => change({ offset })}
        />
      )}
    </>
  )
}

function matches(item: BatchExport, { q, state }: Search, now: number): boolean {
  const text =
    `${item.name} ${item.model} ${destinationPlace(item.destination)} ${item.interval}`.toLowerCase()
  return text.includes(q.trim().toLowerCase()) && (state === 'all' || exportState(item, now) === state)
}

function NewExport({ look, reason }: { look: 'primary' | 'plain'; reason: string | null }) {
  return (
    <ButtonLink to="/exports/new" look={look} reason={reason}>
      <Icon name="plus" /> New export
    </ButtonLink>
  )
}

function NoExports({ reason }: { reason: string | null }) {
  return (
    <EmptyState title="No batch exports yet">
      <p>
        A batch export writes a project’s events or persons to a bucket or a folder, every five minutes, hour,
        day or week. Name one, say where it goes, and its first run starts when its first window has passed.
      </p>
      <NewExport look="plain" reason={reason} />
    </EmptyState>
  )
}
