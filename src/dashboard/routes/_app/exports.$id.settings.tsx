import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute, useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { exportCan, type BatchExport } from '../../../contract/batch-export.ts'
import { secretFields } from '../../../contract/destination.ts'
import { useDeleteExport } from '../../exports/use-delete-export.ts'
import { batchExportQuery } from '../../queries/batch-exports.ts'
import { Button } from '../../ui/button.tsx'
import { ButtonLink } from '../../ui/button-link.tsx'
import { ShortTime } from '../../ui/time.tsx'
import { destinationLabel } from '../../words/destination.ts'
import { everyInterval } from '../../words/interval.ts'

export const Route = createFileRoute('/_app/exports/$id/settings')({ component: SettingsTab })

function SettingsTab() {
  const { id } = Route.useParams()
  const { projectId, apiKey } = Route.useRouteContext()
  const { data: batchExport } = useSuspenseQuery(batchExportQuery(projectId, id))
  const remove = useDeleteExport()
  const navigate = useNavigate()
  return (
    <div className="flex flex-col items-start gap-6">
      <Configuration batchExport={batchExport} />
      <div className="flex flex-wrap gap-2">
        <ButtonLink
          to="/exports/$id/edit"
          params={{ id }}
          reason={exportCan.edit(batchExport, apiKey.scopes)}
        >
          Edit
        </ButtonLink>
        <Button
          look="danger"
          reason={exportCan.delete(batchExport, apiKey.scopes)}
          onClick={() => {
            remove(batchExport)
            void navigate({ to: '/exports' })
          }}
        >
          Delete
        </Button>
      </div>
    </div>
  )
}

function Configuration({ batchExport }: { batchExport: BatchExport }) {
  const { destination, start_at: startAt, end_at: endAt, hogql_query: query } = batchExport
  return (
    <dl className="grid max-w-full grid-cols-[auto_minmax(0,1fr)] gap-x-6 gap-y-1.5">
      <Setting name="Name">{batchExport.name}</Setting>
      <Setting name="Model">{batchExport.model}</Setting>
      <Setting name="Query">{query === '' ? 'none: all columns' : <code>{query}</code>}</Setting>
      <Setting name="Interval">{everyInterval(batchExport.interval)}</Setting>
      <Setting name="Start">{startAt === null ? 'at its creation' : <ShortTime time={startAt} />}</Setting>
      <Setting name="End">{endAt === null ? 'never' : <ShortTime time={endAt} />}</Setting>
      <Setting name="Destination">{destinationLabel(destination.type)}</Setting>
      {Object.entries(destination.config ?? {}).map(([name, value]) => (
        <Setting key={name} name={<code>{name}</code>}>
          <ConfigValue value={value} />
        </Setting>
      ))}
      {secretFields[destination.type].map((name) => (
        <Setting key={name} name={<code>{name}</code>}>
          <span className="text-ink-3">kept encrypted, never shown</span>
        </Setting>
      ))}
      <Setting name="Created">
        <ShortTime time={batchExport.created_at} />
      </Setting>
      <Setting name="Last changed">
        <ShortTime time={batchExport.last_updated_at} />
      </Setting>
      <Setting name="Id">
        <code className="select-all">{batchExport.id}</code>
      </Setting>
    </dl>
  )
}

function ConfigValue({ value }: { value: unknown }) {
  if (value === null || value === '') return <span className="text-ink-3">none</span>
  return <code>{typeof value === 'string' ? value : JSON.stringify(value)}</code>
}

function Setting({ name, children }: { name: ReactNode; children: ReactNode }) {
  return (
    <>
      <dt className="text-ink-3">{name}</dt>
      <dd className="wrap-anywhere">{children}</dd>
    </>
  )
}
