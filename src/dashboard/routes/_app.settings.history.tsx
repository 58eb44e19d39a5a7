import { createFileRoute, Link } from '@tanstack/react-router'
import { DownloadYaml } from '../exports/curl/download-yaml.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { ChangeKind } from '../../contract/exports/batch-export-change.ts'
import type { ProjectChange } from '../../contract/exports/project-change.ts'
import { useAccount } from '../account.ts'
import { projectHistoryQuery } from '../queries/exports/project-history.ts'
import { Button } from '../ui/controls/button.tsx'
import { EmptyState } from '../ui/feedback/empty-state.tsx'
import { ListNotes, NoMatches } from '../ui/list/list-notes.tsx'
import { FilterField } from '../ui/controls/filter-field.tsx'
import { SelectChip } from '../ui/controls/select-chip.tsx'
import { useKeys } from '../ui/use-keys.ts'
import { givenText, searchParams, text } from '../format/search-params.ts'
import { ChangeEntry, HistorySkeleton, kindLabels } from '../exports/history/change-entry.tsx'

export const Route = createFileRoute('/_app/settings/history')({
  validateSearch: searchParams({ q: givenText, kind: text }),
  component: HistoryPage,
})

function HistoryPage() {
  const { project } = Route.useRouteContext()
  return (
    <>
      <PageHeader
        title="History"
        aside={<span className="text-ink-3">of the exports in {project.name}</span>}
      >
        <DownloadYaml fileName="exports.yaml" />
      </PageHeader>
      <ProjectHistory />
    </>
  )
}

const kinds = [
  ['any', 'any'],
  ...ChangeKind.options.map((kind) => [kind, kindLabels[kind].toLowerCase()] as const),
] as const

/** Lists who changed which export of the project, with search. */
function ProjectHistory() {
  const { q = '', kind: given } = Route.useSearch()
  const navigate = Route.useNavigate()
  const filter = (change: { q?: string | undefined; kind?: ChangeKind | undefined }) =>
    void navigate({ search: (now) => ({ ...now, ...change }), replace: true, resetScroll: false })
  const { projectId } = useAccount()
  const kind = ChangeKind.safeParse(given).data ?? null
  const fieldRef = useRef<HTMLInputElement>(null)
  const history = useInfiniteQuery(projectHistoryQuery(projectId, { search: q, kind }))
  useKeys({ '/': { does: 'Search the history', run: () => fieldRef.current?.focus() } })
  const changes = history.data?.pages.flatMap((page) => page.results)
  const isFiltered = q !== '' || kind !== null
  const clear = () => filter({ q: undefined, kind: undefined })
  return (
    <>
      <div className="mt-3.5 mb-4 flex flex-wrap items-center gap-2">
        <FilterField
          ref={fieldRef}
          label="Export, author or setting"
          shortcut="/"
          waitMs={200}
          value={q}
          onSearch={(typed) => filter({ q: typed || undefined })}
        />
        <SelectChip
          label="Change"
          value={kind ?? 'any'}
          choices={kinds}
          onChange={(chosen) => filter({ kind: chosen === 'any' ? undefined : chosen })}
        />
        {isFiltered && (
          <Button look="quiet" onClick={clear}>
            Clear
          </Button>
        )}
      </div>
      <ListNotes
        count={changes?.length}
        error={history.error}
        onRetry={() => void history.refetch()}
        loading={<HistorySkeleton />}
        empty={<EmptyState title="No changes yet">Each change to an export will be listed here.</EmptyState>}
        filteredEmpty={
          isFiltered ? <NoMatches title="No changes match" clear="Clear search" onClear={clear} /> : null
        }
      >
        <ol aria-label="Changes" className="flex max-w-240 flex-col gap-4">
          {changes?.map((change) => (
            <ChangeEntry
              key={change.id}
              change={change}
              name={change.batch_export.name}
              subject={<Subject of={change.batch_export} />}
            />
          ))}
        </ol>
        {history.hasNextPage && (
          <div className="mt-4">
            <Button busy={history.isFetchingNextPage} onClick={() => void history.fetchNextPage()}>
              Older changes
            </Button>
          </div>
        )}
      </ListNotes>
    </>
  )
}

function Subject({ of: { id, name, deleted } }: { of: ProjectChange['batch_export'] }) {
  if (deleted) return <span className="text-ink-2 wrap-anywhere">{name} (deleted)</span>
  return (
    <Link
      to="/exports/$id/settings"
      params={{ id }}
      className="min-w-0 wrap-anywhere underline underline-offset-2"
    >
      {name}
    </Link>
  )
}
