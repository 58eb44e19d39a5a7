import { useInfiniteQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { AuditSettingsButton, AuditSettingsLine } from '../audit/audit-settings-line.tsx'
import { AuditEntryRow } from '../audit/audit-entry.tsx'
import { AuditFilterBar } from '../audit/audit-filter-bar.tsx'
import { filterOf, type AuditSearch } from '../audit/audit-filter.ts'
import { usePreferences } from '../format/preferences.ts'
import { date, givenText, integer, searchParams, text } from '../format/search-params.ts'
import { auditLogQuery, downloadAuditLog } from '../queries/audit-log.ts'
import { Button } from '../ui/controls/button.tsx'
import { DownloadButton } from '../ui/download-button.tsx'
import { EmptyState } from '../ui/feedback/empty-state.tsx'
import { ListNotes, NoMatches, TableSkeleton } from '../ui/list/list-notes.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { saveFile } from '../ui/save-file.ts'

export const Route = createFileRoute('/_app/settings/audit')({
  validateSearch: searchParams({
    q: givenText,
    type: text,
    action: text,
    actor: givenText,
    object: givenText,
    project: integer,
    from: date,
    to: date,
  }),
  component: AuditLogPage,
})

function AuditLogPage() {
  const search = Route.useSearch()
  const navigate = Route.useNavigate()
  const { zone } = usePreferences()
  const filter = filterOf(search, zone)
  const log = useInfiniteQuery(auditLogQuery(filter))
  const entries = log.data?.pages.flatMap((page) => page.results)
  const change = (changed: AuditSearch) =>
    void navigate({ search: (now) => ({ ...now, ...changed }), replace: true, resetScroll: false })
  const clear = () => void navigate({ search: {}, replace: true, resetScroll: false })
  const isFiltered = Object.keys(filter).length > 0
  const download = async () => {
    const lines = await downloadAuditLog(filter)
    saveFile('audit-log.jsonl', new Blob([lines], { type: 'application/jsonl' }))
  }
  return (
    <>
      <PageHeader title="Audit log">
        <DownloadButton failed="The audit log could not be exported." download={download}>
          Export as JSON lines
        </DownloadButton>
        <AuditSettingsButton />
      </PageHeader>
      <p className="mt-1 max-w-160 text-ink-2">
        Who did what in this organization. Nothing here can be changed.
        <AuditSettingsLine />
      </p>
      <AuditFilterBar search={search} entries={entries} onChange={change} onClear={clear} />
      <ListNotes
        count={entries?.length}
        error={log.error}
        onRetry={() => void log.refetch()}
        loading={<TableSkeleton />}
        empty={
          <EmptyState title="No entries yet">
            Each action of a person or a key will be listed here.
          </EmptyState>
        }
        filteredEmpty={
          isFiltered ? <NoMatches title="No entries match" clear="Clear filters" onClear={clear} /> : null
        }
      >
        <ol aria-label="Entries" className="max-w-300 border-t border-line">
          {entries?.map((entry) => (
            <AuditEntryRow key={entry.id} entry={entry} onOnly={change} />
          ))}
        </ol>
        {log.hasNextPage && (
          <div className="mt-4">
            <Button busy={log.isFetchingNextPage} onClick={() => void log.fetchNextPage()}>
              Older entries
            </Button>
          </div>
        )}
      </ListNotes>
    </>
  )
}
