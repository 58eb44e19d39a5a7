import { useDeferredValue, useEffect, useMemo, useLayoutEffect, useRef, useState } from 'react'
import { counted } from '../../format/amount.ts'
import { ListHead, type Sorting } from './list-head.tsx'
import { useDragSelection } from './range-selection.ts'
import { ListRow, rowClass, rowPlace } from './list-row.tsx'
import type { List } from './use-list.ts'
import { useElementScrollRestoration } from '@tanstack/react-router'

/** One line of a list: a row, or the title of a group. */
export type Line<Row> =
  | { kind: 'row'; key: string; row: Row }
  | { kind: 'group'; key: string; title: string; rows: readonly Row[] }

/** More rows are fetched when at most this number are left below the visible ones. */
const fetchAheadRows = 20

export type ListTableProps<Row extends { id: string }, Context, Sort extends string> = {
  list: List<Row, Context, Sort>
  /** The list's rows and group titles; by default, only the rows. */
  lines?: readonly Line<Row>[]
  /** Number of rows on the service, loaded or not; null if the exact number is unknown. */
  total?: number | null
  sorting?: Sorting<Sort>
  /** The rows belong to another filter or order, while the current ones are fetched. */
  outdated?: boolean
  /** Fetches more rows; omitted if the service has no more. */
  onMore?: (() => void) | undefined
}

/** Shows a list's table. Of a long list, only the rows in or near the window are rendered. */
export function ListTable<Row extends { id: string }, Context, Sort extends string>(
  props: ListTableProps<Row, Context, Sort>,
) {
  const { list, sorting, outdated, onMore } = props
  const rowLines = useMemo(
    () => list.rows.map((row): Line<Row> => ({ kind: 'row', key: row.id, row })),
    [list.rows],
  )
  const { lines = rowLines, total = lines.length } = props
  const { description, rowList, tableRef, active, allMatching } = list
  const selectedIds = useShownSelection(list.selection.ids)
  const { caption, noun, columns, rowHeight, renderAllMax, fitsContent, tableClassName = '' } = description
  const { first, last, measure } = useVisibleRows(lines.length, rowHeight, onMore ? 0 : renderAllMax)
  const drag = useDragSelection(list)
  const isNearEnd = lines.length - last <= fetchAheadRows
  // The number of rows that are too few, because one page more may not be enough.
  const tooFew = isNearEnd ? lines.length : null
  useEffect(() => {
    if (tooFew !== null) onMore?.()
  }, [tooFew, onMore])
  useReturn(lines.length, onMore)
  const activeIndex = active ? lines.findIndex(({ key }) => key === active.id) : -1
  // Until a row is active, Tab reaches the first one.
  const tabStop = lines[activeIndex] ?? lines.find(({ kind }) => kind === 'row')
  return (
    <div
      className={`line-while-busy @container ${fitsContent ? 'scroll-hint overflow-x-auto' : 'max-w-[1800px]'}`}
      aria-busy={outdated}
      {...drag}
    >
      <table
        ref={tableRef}
        aria-rowcount={total === null ? -1 : total + 1}
        className={`${fitsContent ? 'w-full border-separate border-spacing-0' : 'block'} ${tableClassName}`}
      >
        <caption className="sr-only">{caption}</caption>
        <ListHead list={list} sorting={sorting} />
        <tbody
          ref={measure}
          className={fitsContent ? '' : 'relative block contain-strict'}
          style={fitsContent ? undefined : { height: lines.length * rowHeight }}
        >
          {renderedIndexes(first, last, activeIndex).map((index) => {
            const line = lines[index]
            if (!line) return null
            if (line.kind === 'row')
              return (
                <ListRow
                  key={line.key}
                  row={line.row}
                  index={index}
                  list={rowList}
                  selected={allMatching || selectedIds.has(line.row.id)}
                  active={line.key === active?.id}
                  isTabStop={line === tabStop}
                />
              )
            return (
              <tr
                key={line.key}
                aria-rowindex={index + 2}
                style={rowPlace(index, description)}
                className={fitsContent ? '' : rowClass}
              >
                <th
                  scope="rowgroup"
                  colSpan={columns.length + 1}
                  className={`pt-3 pl-2 text-left font-medium ${fitsContent ? 'border-b border-line' : ''}`}
                >
                  {line.title}{' '}
                  <span className="font-normal text-ink-3">{counted(line.rows.length, noun)}</span>
                </th>
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}

/**
 * Returns the ids to show as selected. A change of more than one row is deferred, so that the box that was clicked is
 * painted first.
 */
function useShownSelection(ids: ReadonlySet<string>): ReadonlySet<string> {
  const earlier = useDeferredValue(ids)
  return Math.abs(ids.size - earlier.size) > 1 ? earlier : ids
}

/**
 * Returns the indexes of the rows from `first` to `last`, and of the active row (-1 for none), which is always rendered:
 * scrolling it out of the document would lose the focus.
 */
function renderedIndexes(first: number, last: number, active: number): number[] {
  const visible = Array.from({ length: last - first + 1 }, (_, offset) => first + offset)
  if (active === -1 || (active >= first && active <= last)) return visible
  return active < first ? [active, ...visible] : [...visible, active]
}

const inputs = ['wheel', 'touchmove', 'pointerdown', 'keydown'] as const

/**
 * After Back or a reload, scrolls to where the user left the list; the router tries this before the rows are rendered.
 * Loads more rows until that place exists, unless the user scrolls, clicks or presses a key meanwhile.
 */
function useReturn(rowCount: number, onMore: (() => void) | undefined): void {
  const place = useElementScrollRestoration({ getElement: () => window })
  /** Position (px) still to be reached, or null. */
  const target = useRef(place?.scrollY ?? null)
  useEffect(() => {
    const stop = () => {
      target.current = null
    }
    for (const input of inputs) addEventListener(input, stop, { once: true, passive: true, capture: true })
    return () => inputs.forEach((input) => removeEventListener(input, stop, { capture: true }))
  }, [])
  useLayoutEffect(() => {
    if (target.current === null || rowCount === 0) return
    scrollTo({ top: target.current })
    if (Math.ceil(scrollY) < Math.floor(target.current) && onMore) onMore()
    else target.current = null
  }, [rowCount, onMore])
}

/** Distance (px) scrolled between two renders; rendering a few rows does not delay a frame. */
const stepPx = 160
/** Distance (px) rendered beyond the window, in the direction of scrolling and in the other one. */
const aheadPx = 960
const behindPx = 160

/**
 * Finds the rows of a long list in or near the window; `rowHeight` in pixels. Up to `renderAllMax` rows are all rendered,
 * so that the browser can search and print them. Returns the first and last row to render; `measure` is the list's ref.
 */
function useVisibleRows(count: number, rowHeight: number, renderAllMax: number) {
  const [list, measure] = useState<HTMLElement | null>(null)
  const [{ steps, isUp }, setPlace] = useState({ steps: 0, isUp: false })
  const [height, setHeight] = useState(() => innerHeight)
  const rendersAll = count <= renderAllMax
  const rowsIn = (px: number) => Math.ceil(px / rowHeight)
  const step = rowsIn(stepPx)
  useEffect(() => {
    if (rendersAll || !list) return undefined
    const measureScroll = () => {
      const next = Math.max(0, Math.floor(-list.getBoundingClientRect().top / (rowHeight * step)))
      setPlace((now) => (now.steps === next ? now : { steps: next, isUp: next < now.steps }))
      setHeight(innerHeight)
    }
    measureScroll()
    addEventListener('scroll', measureScroll, { passive: true })
    addEventListener('resize', measureScroll)
    return () => {
      removeEventListener('scroll', measureScroll)
      removeEventListener('resize', measureScroll)
    }
  }, [rendersAll, list, rowHeight, step])
  if (rendersAll) return { first: 0, last: count - 1, measure }
  const start = Math.min(steps * step, Math.max(0, count - 1))
  // The rows ahead grow with the first steps: a list that nobody scrolls has few, and no step renders many.
  const ahead = rowsIn(Math.min(aheadPx, behindPx + steps * 2 * stepPx))
  const behind = rowsIn(behindPx)
  return {
    first: Math.max(0, start - (isUp ? ahead : behind)),
    last: Math.min(count - 1, start + rowsIn(height) + step + (isUp ? behind : ahead)),
    measure,
  }
}
