import { useQuery } from '@tanstack/react-query'
import { createFileRoute, Link, stripSearchParams } from '@tanstack/react-router'
import { Suspense, useMemo, useRef } from 'react'
import { writeReason } from '../../../contract/runs/run-status.ts'
import type { ExportOverview } from '../../../contract/exports/overview.ts'
import { arrange, exportsOf, shownOf } from '../../exports/list/arrange.ts'
import { ExportList } from '../../exports/list/export-list.tsx'
import { FilterBar } from '../../exports/list/filter-bar.tsx'
import { isFiltered, listDefaults, ListSearch, noFilters } from '../../exports/list/list-search.ts'
import { NewExport } from '../../exports/list/new-export.tsx'
import { ShortenedWords } from '../../exports/list/shortened-words.tsx'
import { usePausing, withPausing } from '../../exports/list/pausing.ts'
import { overviewQuery } from '../../queries/exports/overview.ts'
import { Icon } from '../../ui/icon.tsx'
import { ListNotes, ListSkeleton, NoMatches } from '../../ui/list/list-notes.tsx'
import { usePaletteActions } from '../../ui/list/palette-actions.ts'
import { PageHeader } from '../../ui/page-header.tsx'
import { useNow } from '../../ui/use-now.ts'
import { counted } from '../../format/amount.ts'
import { duration } from '../../format/time.ts'
import { lazyNamed } from '../../ui/lazy-named.ts'

const FailuresLink = lazyNamed(() => import('../../exports/failures/failures-link.tsx'), 'FailuresLink')
const NoExports = lazyNamed(() => import('../../exports/list/no-exports.tsx'), 'NoExports')

export const Route = createFileRoute('/_app/exports/')({
  validateSearch: ListSearch,
  search: { middlewares: [stripSearchParams(listDefaults)] },
  loaderDeps: ({ search: { scope } }) => ({ scope }),
  loader: ({ context, deps: { scope } }) => {
    void context.queryClient.prefetchQuery(overviewOf(context, scope))
  },
  component: ExportsPage,
})

type Context = { projectId: string; user: { organization: { id: string } } }

function overviewOf({ projectId, user }: Context, scope: ListSearch['scope']) {
  return overviewQuery(scope === 'project' ? { projectId } : { organizationId: user.organization.id })
}

const noRows: readonly ExportOverview[] = []

function ExportsPage() {
  const context = Route.useRouteContext()
  const { project, projects, user, scopes } = context
  const search = Route.useSearch()
  const navigate = Route.useNavigate()
  const fieldRef = useRef<HTMLInputElement>(null)
  const overview = useQuery(overviewOf(context, search.scope))
  const { data } = overview
  const pausing = usePausing()
  const rows = useMemo(() => withPausing(data?.results ?? noRows, pausing), [data, pausing])
  const lines = useMemo(() => arrange(rows, search), [rows, search])
  const change = (part: Partial<ListSearch>) =>
    void navigate({ search: (now) => ({ ...now, ...part }), replace: true, resetScroll: false })
  useFilterActions(search, change)
  const reason = writeReason(scopes)
  const place = search.scope === 'project' ? project.name : user.organization.name
  return (
    <>
      <PageHeader
        title="Batch exports"
        aside={
          data && (
            <span className="text-ink-3">
              <output>{`${shownOf(exportsOf(lines).length, rows.length)} in ${place}`}</output>
              <span className="max-sm:hidden">
                {' '}
                · <UpdatedAgo time={overview.dataUpdatedAt} />
              </span>
            </span>
          )
        }
      >
        <Suspense>{rows.some(({ failed }) => failed > 0) && <FailuresLink />}</Suspense>
        <MissingLink rows={rows} chosen={search.missing} />
        <NewExport reason={reason} />
      </PageHeader>
      <FilterBar
        search={search}
        onChange={change}
        fieldRef={fieldRef}
        rows={rows}
        offersOrganization={projects.length > 1}
        empty={data ? rows.length === 0 : overview.error !== null}
      />
      <ListNotes
        count={data && rows.length}
        error={overview.error}
        onRetry={() => void overview.refetch()}
        empty={
          <Suspense>
            <NoExports reason={reason} />
          </Suspense>
        }
        loading={<ListSkeleton />}
      >
        <ExportList
          rows={rows}
          lines={lines}
          at={data?.at ?? ''}
          sort={search.sort}
          onSort={(sort) => change({ sort })}
          fieldRef={fieldRef}
          showsProjects={search.scope === 'organization'}
          filteredEmpty={
            <NoMatches
              title="No exports match the filters"
              clear="Clear filters"
              onClear={() => change(noFilters)}
            />
          }
        />
      </ListNotes>
    </>
  )
}

/** Adds actions of the filters to the palette. */
function useFilterActions(search: ListSearch, change: (part: Partial<ListSearch>) => void): void {
  usePaletteActions([
    {
      id: 'exports clear',
      label: 'Clear the filters',
      reason: isFiltered(search) ? null : 'No filter is set.',
      run: () => change(noFilters),
    },
    {
      id: 'exports missing',
      label: 'Show only exports with missing windows',
      run: () => change({ ...noFilters, missing: true }),
    },
  ])
}

/** Toggles between exports with missing windows and all exports. */
function MissingLink({ rows, chosen }: { rows: readonly ExportOverview[]; chosen: boolean }) {
  const missing = rows.reduce((sum, row) => sum + row.missing, 0)
  if (missing === 0) return null
  return (
    <Link
      from="/exports/"
      search={(now) => ({ ...now, ...noFilters, missing: !chosen })}
      title={chosen ? 'Show all exports' : 'Show only exports with missing windows'}
      className={`inline-flex h-8 items-center gap-1.5 rounded-md border px-2.5 font-medium text-fail-ink max-sm:px-1 hover:bg-hover ${chosen ? 'border-fail' : 'border-transparent'}`}
    >
      <ShortenedWords words={counted(missing, 'missing window')} last="missing" />
      {chosen && <Icon name="close" size={14} />}
    </Link>
  )
}

/** Shows the age of the rows; `time` in milliseconds of the browser's clock. */
function UpdatedAgo({ time }: { time: number }) {
  const age = useNow((now) => {
    const seconds = Math.max(0, Math.round((now - time) / 1000))
    if (seconds < 5) return 'just now'
    return `${seconds < 60 ? `${seconds} s` : duration(seconds * 1000)} ago`
  })
  return <span className="whitespace-nowrap">updated {age}</span>
}
