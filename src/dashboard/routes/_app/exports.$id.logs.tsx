import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute, stripSearchParams } from '@tanstack/react-router'
import type { LogLevel } from '../../../contract/runs/log-entry.ts'
import { logLevels } from '../../../contract/runs/log-levels.ts'
import { LogView, useLogLines } from '../../exports/runs/log-view.tsx'
import { batchExportQuery, hasRunInProgress } from '../../queries/exports/batch-exports.ts'
import { downloadLogs } from '../../queries/exports/logs.ts'
import { FilterField } from '../../ui/controls/filter-field.tsx'
import { SelectChip } from '../../ui/controls/select-chip.tsx'
import { Switch } from '../../ui/controls/switch.tsx'
import { flag, oneOf, or, searchParams, text } from '../../format/search-params.ts'
import { DownloadButton } from '../../ui/download-button.tsx'

const defaults = { level: 'INFO', search: '', tail: true } as const

export const Route = createFileRoute('/_app/exports/$id/logs')({
  validateSearch: searchParams({
    level: or(oneOf(logLevels), defaults.level),
    search: or(text, defaults.search),
    tail: or(flag, defaults.tail),
  }),
  search: { middlewares: [stripSearchParams(defaults)] },
  component: LogsTab,
})

const levels: readonly (readonly [LogLevel, string])[] = [
  ['DEBUG', 'all'],
  ['INFO', 'info and above'],
  ['WARNING', 'warnings and errors'],
  ['ERROR', 'errors'],
]

function LogsTab() {
  const { id } = Route.useParams()
  const { projectId } = Route.useRouteContext()
  const { level, search, tail } = Route.useSearch()
  const navigate = Route.useNavigate()
  const { data: batchExport } = useSuspenseQuery(batchExportQuery(projectId, id))
  const change = (part: { level?: LogLevel; search?: string; tail?: boolean }) =>
    void navigate({ search: (now) => ({ ...now, ...part }), replace: true, resetScroll: false })
  const source = { projectId, batchExportId: id }
  const filter = { level: logLevels.slice(logLevels.indexOf(level)), search }
  const following = hasRunInProgress(batchExport) ? 'often' : 'seldom'
  return (
    <div className="flex flex-col items-start gap-3">
      <div className="flex w-full flex-wrap items-center gap-2 print:hidden">
        <FilterField
          label="Search the logs"
          value={search}
          waitMs={200}
          onSearch={(text) => change({ search: text })}
        />
        <SelectChip
          label="Level"
          value={level}
          choices={levels}
          usual={defaults.level}
          onChange={(next) => change({ level: next })}
        />
        <span className="ml-1 flex items-center gap-2 text-ink-2">
          <Switch label="Live: show new lines" on={tail} onChange={(on) => change({ tail: on })} />
          <span aria-hidden="true">Live</span>
        </span>
        <span className="ml-auto">
          <DownloadButton
            failed="The logs could not be downloaded."
            download={() => downloadLogs(source, filter, batchExport.name)}
          >
            Download
          </DownloadButton>
        </span>
      </div>
      <div className="flex w-full flex-col items-start gap-3 [&>ol]:w-full">
        <LogView
          log={useLogLines(source, filter, tail ? following : 'never')}
          toRun
          emptyText={search === '' && level === 'INFO' ? 'No log lines yet' : 'No lines match'}
        />
      </div>
    </div>
  )
}
