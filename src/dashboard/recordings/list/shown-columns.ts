import type { RecordingOrder } from '../../../contract/recordings/recording-filter.ts'
import type { SessionRecording } from '../../../contract/recordings/session-recording.ts'
import type { ListColumn } from '../../ui/list/list-column.ts'
import type { RecordingContext } from './actions.ts'

export type RecordingColumn = ListColumn<SessionRecording, RecordingContext, RecordingOrder> & {
  /** Width (px) of the narrowest table that shows the column unasked; Infinity if it is shown only when chosen. */
  from?: number
  /** The part of a row that the column shows; omitted for columns that are always shown. */
  value?: (row: SessionRecording) => unknown
}

type View = {
  rows: readonly SessionRecording[]
  /** Width (px) of the table. */
  width: number
  /** Headers of the chosen columns; null if none were chosen. */
  chosen: readonly string[] | null
  order: RecordingOrder
}

/**
 * Returns the columns to show: the chosen ones, else those for which the table is wide enough and in which the rows differ. The
 * column that sorts the list is shown in any case.
 */
export function shownColumns(
  columns: readonly RecordingColumn[],
  { rows, width, chosen, order }: View,
): RecordingColumn[] {
  return columns.filter(({ header, from = 0, value, sort }) => {
    if (!value) return true
    if (chosen) return chosen.includes(header)
    return width >= from && (sort === order || differ(rows, value))
  })
}

/** A single row has nothing to differ from, so its columns stay. Reads no more values than needed: there may be many rows. */
function differ([first, ...others]: readonly SessionRecording[], value: (row: SessionRecording) => unknown) {
  if (!first || others.length === 0) return true
  const expected = value(first)
  return others.some((row) => value(row) !== expected)
}
