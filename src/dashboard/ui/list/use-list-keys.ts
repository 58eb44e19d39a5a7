import { useKeys, type KeyMap } from '../use-keys.ts'
import {
  actionOfKey,
  paletteLabelOf,
  reasonAgainst,
  reasonAgainstAll,
  type ListAction,
} from './list-action.ts'
import { usePaletteActions, type PaletteAction } from './palette-actions.ts'
import { focusRow, steppedIndex } from './row-focus.ts'
import { rangeKeys } from './range-selection.ts'
import type { List } from './use-list.ts'

/**
 * Binds a list's keys and adds its entries to the palette. Actions apply to the selection, or without one to the active
 * row. `pageKeys` are additional keys of the page.
 */
export function useListKeys<Row extends { id: string }, Context, Sort extends string>(
  list: List<Row, Context, Sort>,
  pageKeys: KeyMap = {},
): void {
  const { active, setActive, selected, clear } = list
  const { noun, isEmbedded } = list.description
  const targets = selected.length > 0 || !active ? selected : [active]
  usePaletteActions(() => paletteEntries(list, targets))
  useKeys(() => ({
    ...rowKeys(list),
    ...actionKeys(list, targets),
    ...pageKeys,
    Escape:
      selected.length > 0
        ? { does: 'Clear selection', run: clear }
        : !isEmbedded && active
          ? { does: `Leave the ${noun}`, run: () => setActive(null) }
          : null,
  }))
}

/** Returns the keys that move between rows and select them. */
function rowKeys<Row extends { id: string }, Context, Sort extends string>(list: List<Row, Context, Sort>) {
  const { description, rows, active, setActive, selected, select, tableRef } = list
  const { noun, isEmbedded } = description
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
  const toggle = (does: string, range: boolean) => ({
    does,
    reason: active ? null : noRowReason(noun),
    run: () => active && select(active.id, range),
  })
  const j = move(`Next ${noun}`, 1)
  const k = move(`Previous ${noun}`, -1)
  const x = toggle(`Select or deselect the ${noun}`, false)
  if (isEmbedded) return { j, k, x, X: toggle(`Select up to this ${noun}`, true) }
  return {
    ...rangeKeys(list),
    j,
    k,
    ArrowDown: j,
    ArrowUp: k,
    'shift+ArrowDown': move(`Extend selection to the next ${noun}`, 1, true),
    'shift+ArrowUp': move(`Extend selection to the previous ${noun}`, -1, true),
    x,
  }
}

/** The message if a key needs a row and no row is active. */
function noRowReason(noun: string): string {
  return `Move to ${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun} first, with j or k.`
}

/**
 * Returns what an action's key or palette entry does. `label` is that of the palette entry, null if there is no row to act
 * on. `targets` are the rows on which actions on several rows act.
 */
function bound<Row extends { id: string }, Context, Sort extends string>(
  { description, scopes, active, perform, allMatching, performAll }: List<Row, Context, Sort>,
  action: ListAction<Row, Context>,
  targets: readonly Row[],
): { label: string | null; reason: string | null; run: () => void } {
  const { named, noun } = description
  if (allMatching && !action.single)
    return {
      label: paletteLabelOf(action, `all matching ${noun}s`),
      reason: reasonAgainstAll(action, scopes),
      run: () => performAll(action),
    }
  const rows = action.single ? (active ? [active] : []) : targets
  return {
    label: rows.length === 0 ? null : paletteLabelOf(action, named(rows)),
    reason: rows.length === 0 ? noRowReason(noun) : reasonAgainst(action, rows, scopes),
    run: () => perform(action, rows),
  }
}

function actionKeys<Row extends { id: string }, Context, Sort extends string>(
  list: List<Row, Context, Sort>,
  targets: readonly Row[],
): KeyMap {
  const actions = Object.values(list.description.actions)
  const keys = actions.flatMap((action) => action.keys ?? [])
  const bindings = keys.flatMap((key) => {
    const action = actionOfKey(actions, key, targets, list.scopes)
    if (!action) return []
    const { reason, run } = bound(list, action, targets)
    return [[key, { does: action.keyLabel ?? action.label, reason, run }] as const]
  })
  return Object.fromEntries(bindings)
}

function paletteEntries<Row extends { id: string }, Context, Sort extends string>(
  list: List<Row, Context, Sort>,
  targets: readonly Row[],
): PaletteAction[] {
  const { actions, paletteId } = list.description
  return Object.entries(actions).flatMap(([name, action]) => {
    const { label, reason, run } = bound(list, action, targets)
    return label === null ? [] : { id: `${paletteId} ${name}`, label, reason, run }
  })
}
