import type { BatchExportChange } from '../../../contract/exports/batch-export-change.ts'
import { settingLabel } from '../../../contract/exports/setting-label.ts'
import { FieldChange } from './field-change.tsx'
import { byFormOrder } from './setting-words.ts'

/** Lists the settings before and after a change. */
export function ChangedFields({ change }: { change: Pick<BatchExportChange, 'kind' | 'fields'> }) {
  return (
    <dl className="grid grid-cols-[7rem_minmax(0,1fr)] items-baseline sm:grid-cols-[9.5rem_minmax(0,1fr)] gap-x-4 gap-y-1 border-l-2 border-line pl-3">
      {change.fields.toSorted(byFormOrder).map((field) => (
        <div key={field.field} className="contents">
          <dt className="text-ink-3">{settingLabel(field.field)}</dt>
          <dd className={`min-w-0 wrap-anywhere ${field.field === 'hogql_query' ? 'max-sm:col-span-2' : ''}`}>
            <FieldChange change={field} isNew={change.kind !== 'updated'} />
          </dd>
        </div>
      ))}
    </dl>
  )
}
