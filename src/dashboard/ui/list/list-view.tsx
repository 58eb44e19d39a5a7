import { memo, useDeferredValue, useLayoutEffect, useRef, type ReactNode, type RefObject } from 'react'
import { ListTable, type ListTableProps } from './list-table.tsx'
import { count } from '../../format/amount.ts'
import { Button } from '../controls/button.tsx'
import { ProgressBar } from '../feedback/progress.tsx'
import { Menu } from '../controls/menu.tsx'
import { Icon } from '../icon.tsx'
import { KeyHint } from '../key-hint.tsx'
import { actionOfKey, reasonAgainst, reasonAgainstAll } from './list-action.ts'
import type { List } from './use-list.ts'

type ListViewProps<Row extends { id: string }, Context, Sort extends string> = ListTableProps<
  Row,
  Context,
  Sort
> & {
  /** Shown instead of the table if no row matches the filters; null if any row matches. */
  filteredEmpty?: ReactNode
  /** The bulk action in progress on such rows. */
  progress?: BulkProgress | null
}

type BulkProgress = { label: string; value: number; max: number }

/** Shows a list's table, and the bar with the actions on its selection. */
export function ListView<Row extends { id: string }, Context, Sort extends string>({
  filteredEmpty = null,
  progress = null,
  ...table
}: ListViewProps<Row, Context, Sort>) {
  return (
    <>
      {filteredEmpty ?? <ListTable {...table} />}
      <DeferredSelectionBar list={table.list} total={table.total ?? null} progress={progress} />
    </>
  )
}

type DeferredSelectionBarProps<Row extends { id: string }, Context, Sort extends string> = {
  list: List<Row, Context, Sort>
  /** Number of rows that match the filters, loaded or not; null if it is unknown. */
  total: number | null
  progress: BulkProgress | null
}

/** Shows the bar if rows are selected, after the paint of the row or box that selected them. */
function DeferredSelectionBar<Row extends { id: string }, Context, Sort extends string>(
  props: DeferredSelectionBarProps<Row, Context, Sort>,
) {
  // Without a selection there is nothing to render later.
  const list = useDeferredValue(props.list.selected.length > 0 ? props.list : null)
  const latest = useRef(props.list)
  useLayoutEffect(() => {
    latest.current = props.list
  })
  return list && <SelectionBar {...props} list={list} latest={latest} />
}

type SelectionBarContentProps<
  Row extends { id: string },
  Context,
  Sort extends string,
> = DeferredSelectionBarProps<Row, Context, Sort> & {
  /** The current list, on which actions act; `list` may lag behind. */
  latest: RefObject<List<Row, Context, Sort>>
}

// Not rendered again while its deferred list is still the old one.
const SelectionBar = memo(SelectionBarContent) as typeof SelectionBarContent

/** The actions on the selected rows, floating over the end of the list. */
function SelectionBarContent<Row extends { id: string }, Context, Sort extends string>({
  list,
  latest,
  total,
  progress,
}: SelectionBarContentProps<Row, Context, Sort>) {
  const { description, scopes, selected: rows, clear, busy } = list
  const { allMatching, selectAllMatching } = list
  const all = Object.values(description.actions).filter(({ single }) => !single)
  const actions = all.map((action) => {
    const [key] = action.keys ?? []
    const hasKey = key !== undefined && actionOfKey(all, key, rows, scopes) === action
    const reason = allMatching ? reasonAgainstAll(action, scopes) : reasonAgainst(action, rows, scopes)
    return {
      action,
      reason,
      keyHint: hasKey && <KeyHint of={key} />,
      // Of actions that share a key, such as Pause and Unpause, one is shown.
      isShown: !action.further?.(rows) && reason === null && (key === undefined || hasKey),
      run: () => {
        const now = latest.current
        // A second click may come before the button is shown as busy.
        if (now.busy) return
        if (now.allMatching) now.performAll(action)
        else now.perform(action, now.selected)
      },
    }
  })
  const further = actions.filter(({ isShown }) => !isShown)
  return (
    <section
      aria-label={`Selected ${description.noun}s`}
      data-floating-bar
      className="fixed bottom-4 left-4 z-10 flex max-w-[calc(100vw-32px)] flex-wrap items-center gap-2 rounded-lg border border-line-strong bg-raised py-1.5 pr-1.5 pl-3.5 shadow-overlay md:left-[232px] md:max-w-[calc(100vw-256px)]"
    >
      <output className="mr-1.5 font-semibold whitespace-nowrap">
        {allMatching ? `All ${total === null ? 'matching' : count(total)} selected` : selectedInWords(list)}
      </output>
      {progress && (
        <span className="flex w-44 items-center gap-2 text-xs whitespace-nowrap text-ink-2">
          <ProgressBar className="w-0 flex-1" {...progress} />
          {count(progress.value)} of {count(progress.max)}
        </span>
      )}
      {selectAllMatching && (
        <Button look="quiet" onClick={selectAllMatching}>
          Select all {total === null ? '' : count(total)} that match
        </Button>
      )}
      {actions.map(
        ({ action: { label, danger }, keyHint, isShown, run }) =>
          isShown && (
            <Button key={label} look={danger ? 'danger' : 'plain'} busy={busy} onClick={run}>
              {label}
              {keyHint}
            </Button>
          ),
      )}
      {further.length > 0 && (
        <Menu
          label="More actions"
          items={further.map(({ action, reason, run }) => ({
            label: action.menuLabel ?? action.label,
            reason: reason ?? (busy ? 'Another action is being sent.' : null),
            danger: action.danger === true,
            onSelect: run,
          }))}
        />
      )}
      <Button look="quiet" size="icon" aria-label="Clear selection" onClick={clear}>
        <Icon name="close" />
      </Button>
    </section>
  )
}

function selectedInWords<Row extends { id: string }, Context, Sort extends string>(
  list: List<Row, Context, Sort>,
): string {
  const { rows, selected, selection } = list
  const hidden = selected.length - rows.filter(({ id }) => selection.ids.has(id)).length
  const text = `${count(selected.length)} selected`
  return hidden > 0 ? `${text}, ${count(hidden)} hidden by filters` : text
}
