import type { RecordingOrder } from '../../../contract/recording-filter.ts'
import { cellClassOf, type TableColumn } from '../../ui/list/table-column.ts'

type Column = TableColumn & { order?: RecordingOrder }

/** The list's columns. */
const columns = {
  select: { header: 'Select', silent: true, className: 'w-9' },
  person: { header: 'Person', className: '' },
  start: { header: 'Started', order: 'start_time', className: 'w-22' },
  length: {
    header: 'Duration',
    order: 'recording_duration',
    className: 'w-[152px] @max-[520px]:w-18',
  },
  active: {
    header: 'Active',
    order: 'active_seconds',
    end: true,
    className: 'w-18 @max-[1100px]:hidden',
  },
  idle: { header: 'Idle', order: 'inactive_seconds', end: true, className: 'w-18 @max-[1200px]:hidden' },
  clicks: { header: 'Clicks', order: 'click_count', end: true, className: 'w-18 @max-[600px]:hidden' },
  keys: { header: 'Keys', order: 'keypress_count', end: true, className: 'w-18 @max-[760px]:hidden' },
  mouse: {
    header: 'Mouse',
    order: 'mouse_activity_count',
    end: true,
    className: 'w-18 @max-[1300px]:hidden',
  },
  errors: {
    header: 'Errors',
    order: 'console_error_count',
    end: true,
    className: 'w-18 @max-[520px]:hidden',
  },
  page: { header: 'First page', className: 'w-[20%] @max-[860px]:hidden' },
  seen: { header: 'Watched', className: 'w-24 @max-[680px]:hidden' },
  actions: { header: 'Actions', silent: true, end: true, className: 'w-10' },
} as const satisfies Record<string, Column>

type ColumnName = keyof typeof columns

/** The columns as the table's head goes through them. */
export const columnList: readonly (Column & { name: ColumnName })[] = Object.entries(columns).map(
  ([name, column]) => ({ name: name as ColumnName, ...column }),
)

/** The classes of a column's cells. */
export function cellClass(name: ColumnName): string {
  return cellClassOf(columns[name])
}
