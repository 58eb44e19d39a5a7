import { memo } from 'react'
import { useWaiting } from '../feedback/send-action.ts'
import { Menu } from '../controls/menu.tsx'
import { reasonAgainst } from './list-action.ts'
import { cellClass } from './list-column.ts'
import { selectColumn } from './list-head.tsx'
import type { RowList } from './use-list.ts'

type ListRowProps<Row extends { id: string }, Context, Sort extends string> = {
  row: Row
  /** Index in the whole list, from 0. */
  index: number
  list: RowList<Row, Context, Sort>
  selected: boolean
  /** Keys act on this row. */
  active: boolean
  isTabStop: boolean
}

/** Renders again only if its props change, not with every change of the list. */
export const ListRow = memo(OneRow) as typeof OneRow

function OneRow<Row extends { id: string }, Context, Sort extends string>({
  row,
  index,
  list,
  selected,
  active,
  isTabStop,
}: ListRowProps<Row, Context, Sort>) {
  const { description, setActive, select } = list
  const { named, rowHeight, isEmbedded, fitsContent } = description
  const waiting = useWaiting(row.id)
  return (
    <tr
      data-id={row.id}
      data-active={active || undefined}
      aria-rowindex={index + 2}
      tabIndex={isTabStop ? 0 : -1}
      // A key has already made the row active. Not so in an embedded list, where the row that loses the focus undoes that.
      onFocus={active && !isEmbedded ? undefined : () => setActive(row.id)}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (isEmbedded && !currentTarget.contains(relatedTarget)) setActive(null)
      }}
      style={rowPlace(index, description)}
      className={`${fitsContent ? '' : rowClass} scroll-mt-10 scroll-mb-20 -outline-offset-2 ${selected ? 'bg-selected' : 'hover:bg-hover'} ${active ? 'shadow-[inset_2px_0_var(--color-accent)]' : ''} ${waiting === 'delete' ? '[&_a]:line-through' : ''}`}
    >
      <td className={cellClass(selectColumn, fitsContent)}>
        <label className="-my-3 -ml-2 flex items-center pl-2 select-none" style={{ height: rowHeight }}>
          <input
            type="checkbox"
            aria-label={`Select ${named([row])}`}
            checked={selected}
            onChange={({ nativeEvent }) =>
              select(row.id, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)
            }
          />
        </label>
      </td>
      <Cells row={row} index={index} list={list} />
    </tr>
  )
}

type CellsProps<Row extends { id: string }, Context, Sort extends string> = Pick<
  ListRowProps<Row, Context, Sort>,
  'row' | 'index' | 'list'
>

/** The cells of a row; selecting or activating the row does not render them again. */
const Cells = memo(CellsOfRow) as typeof CellsOfRow

function CellsOfRow<Row extends { id: string }, Context, Sort extends string>({
  row,
  index,
  list,
}: CellsProps<Row, Context, Sort>) {
  const { description, perform } = list
  const { columns, fitsContent } = description
  return (
    <>
      {columns.map((column) => (
        <td key={column.header} className={cellClass(column, fitsContent)}>
          {column.cell(row, { index, perform, menu: <RowMenu row={row} list={list} /> })}
        </td>
      ))}
    </>
  )
}

/** Each row is laid out apart from all others, and not at all far from the window, so that rows cost little. */
export const rowClass =
  'absolute inset-x-0 flex items-center border-b border-line [contain:size_layout_style] [content-visibility:auto]'

type Placed = { rowHeight: number; fitsContent?: boolean | undefined }

/** Returns the position of the row or group title at this index in its table. */
export function rowPlace(index: number, { rowHeight, fitsContent }: Placed) {
  return fitsContent ? { height: rowHeight } : { height: rowHeight, top: index * rowHeight }
}

/** Shows the menu with all actions on one row of a list. */
function RowMenu<Row extends { id: string }, Context, Sort extends string>(
  props: Omit<CellsProps<Row, Context, Sort>, 'index'>,
) {
  const { row, list } = props
  const { description, scopes, perform } = list
  const items = () =>
    Object.values(description.actions)
      .filter(({ inMenu }) => inMenu?.(row) !== false)
      .map((action) => ({
        label: action.menuLabel ?? action.label,
        reason: reasonAgainst(action, [row], scopes),
        danger: action.danger === true,
        onSelect: () => perform(action, [row]),
      }))
  return <Menu label={`Actions for ${description.named([row])}`} items={items} />
}
