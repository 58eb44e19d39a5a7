import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute, stripSearchParams } from '@tanstack/react-router'
import { z } from 'zod'
import { logLevels, type LogLevel } from '../../../contract/log-entry.ts'
import { LogView } from '../../exports/log-view.tsx'
import { batchExportQuery, hasRunInProgress } from '../../queries/batch-exports.ts'
import { SearchField } from '../../ui/search-field.tsx'
import { SelectChip } from '../../ui/select-chip.tsx'

const defaults = { level: 'INFO', search: '' } as const

export const Route = createFileRoute('/_app/exports/$id/logs')({
  validateSearch: z.object({
    level: z.enum(logLevels).catch(defaults.level).default(defaults.level),
    search: z.string().catch(defaults.search).default(defaults.search),
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
  const { level, search } = Route.useSearch()
  const navigate = Route.useNavigate()
  const { data: batchExport } = useSuspenseQuery(batchExportQuery(projectId, id))
  const change = (part: { level?: LogLevel; search?: string }) =>
    void navigate({ search: (now) => ({ ...now, ...part }), replace: true, resetScroll: false })
  return (
    <div className="flex flex-col items-start gap-3">
      <div className="flex flex-wrap items-center gap-2">
        <SearchField
          label="Search the logs"
          value={search}
          waitMs={200}
          onSearch={(text) => change({ search: text })}
        />
        <SelectChip
          label="Level"
          value={level}
          choices={levels}
          onChange={(next) => change({ level: next })}
        />
      </div>
      <div className="flex w-full flex-col items-start gap-3 [&>ol]:w-full">
        <LogView
          source={{ projectId, batchExportId: id }}
          filter={{ level: logLevels.slice(logLevels.indexOf(level)), search }}
          live={hasRunInProgress(batchExport)}
          emptyText={search === '' && level === 'INFO' ? 'No log lines yet' : 'No line matches'}
        />
      </div>
    </div>
  )
}
