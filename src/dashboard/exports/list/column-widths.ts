import type { CSSProperties } from 'react'
import type { ExportOverview } from '../../../contract/exports/overview.ts'
import { destinationPlace } from '../../format/destination.ts'

/** Texts longer than this do not widen their column. */
const lettersMax = 48

/** Returns the widths that names and destinations need, as variables, so that they share the room by their contents. */
export function columnWidths(rows: readonly ExportOverview[]): CSSProperties {
  const longest = (texts: readonly string[]) =>
    Math.min(lettersMax, Math.max(12, ...texts.map(({ length }) => length)))
  return {
    '--name-width': `${longest(rows.map(({ name }) => name)) * 7 + 20}px`,
    '--place-width': `${longest(rows.map(({ destination }) => destinationPlace(destination))) * 7.5 + 20}px`,
  } as CSSProperties
}
