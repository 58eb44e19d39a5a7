import { useKeys, type KeyBinding, type KeyMap } from '../use-keys.ts'
import { actionOfKey, possibleFor } from './list-action.ts'
import { usePaletteActions } from './palette-actions.ts'
import { focusRow, steppedIndex } from './row-focus.ts'
import type { List } from './use-list.ts'

/**
 * The keys of a list, and its entries in the palette. Actions apply to the selection, or else to the active row. `pageKeys` are
 * further keys of the page.
 */
export function useListKeys<Row extends { id: string }, Context, Sort extends string>(
  list: List<Row, Context, Sort>,
  pageKeys: KeyMap = {},
): void {
  const { active, setActive, selected, clear } = list
  const targets = selected.length > 0 || !active ? selected : [active]
  usePaletteActions(paletteEntries(list, targets))
  useKeys({
    ...rowKeys(list),
    ...actionKeys(list, targets),
    ...pageKeys,
    Escape:
      selected.length > 0
        ? { does: 'Select nothing', run: clear }
        : active && { does: 'Leave the row', run: () => setActive(null) },
  })
}

/** The keys that lead from row to row and select. */
function rowKeys<Row extends { id: string }, Context, Sort extends string>({
  description: { one, chooseFirst, isPart },
  rows,
  active,
  setActive,
  selected,
  select,
  tableRef,
}: List<Row, Context, Sort>): KeyMap {
  const move = (does: string, step: number, extend = false) => ({
    does,
    moves: true,
    run: () => {
      const to = rows[steppedIndex(rows.length, active ? rows.indexOf(active) : -1, step)]
      if (!to) return
      if (extend && active && selected.length === 0) select(active.id, false)
      if (extend) select(to.id, true)
      focusRow(tableRef, setActive, to.id)
    },
  })
  const choose = (does: string, range: boolean) => ({
    does,
    reason: active ? null : chooseFirst,
    run: () => active && select(active.id, range),
  })
  const j = move(`Next ${one}`, 1)
  const k = move(`Previous ${one}`, -1)
  const x = choose(`Select the ${one}, or not`, false)
  if (isPart) return { j, k, x, X: choose(`Select up to this ${one}`, true) }
  return {
    j,
    k,
    ArrowDown: j,
    ArrowUp: k,
    'shift+ArrowDown': move(`Select down to the next ${one}`, 1, true),
    'shift+ArrowUp': move(`Select up to the previous ${one}`, -1, true),
    x,
  }
}

function actionKeys<Row, Context, Sort extends string>(
  { description, scopes, active, perform }: List<Row, Context, Sort>,
  targets: readonly Row[],
): KeyMap {
  const actions = Object.values(description.actions)
  const bindings: Record<string, KeyBinding> = {}
  for (const key of actions.flatMap(({ keys }) => keys ?? [])) {
    const action = actionOfKey(actions, key, targets, scopes)
    if (!action) continue
    const rows = action.single ? (active ? [active] : []) : targets
    bindings[key] = {
      does: action.keyLabel ?? action.label,
      reason: rows.length === 0 ? description.chooseFirst : possibleFor(action, rows, scopes).reason,
      run: () => perform(action, rows),
    }
  }
  return bindings
}

function paletteEntries<Row, Context, Sort extends string>(
  { description, scopes, perform }: List<Row, Context, Sort>,
  targets: readonly Row[],
) {
  const { actions, paletteId, named } = description
  return Object.entries(targets.length > 0 ? actions : {}).flatMap(([name, action]) =>
    action.paletteLabel
      ? {
          id: `${paletteId} ${name}`,
          label: action.paletteLabel(named(targets)),
          reason: possibleFor(action, targets, scopes).reason,
          run: () => perform(action, targets),
        }
      : [],
  )
}
