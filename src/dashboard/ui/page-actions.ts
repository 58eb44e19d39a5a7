import type { PaletteAction } from './list/palette-actions.ts'
import type { MenuItem } from './controls/menu.tsx'
import type { KeyMap } from './use-keys.ts'

/** An action on the object of a page. The page's menu, keys and palette entries derive from this. */
export type PageAction = Pick<PaletteAction, 'label' | 'key' | 'reason' | 'run'> & {
  /** Label in the menu, if it differs from `label`. */
  menuLabel?: string
  danger?: boolean
}

export function menuItemsOf(actions: readonly PageAction[]): MenuItem[] {
  return actions.map(({ label, menuLabel = label, run, ...rest }) => ({
    ...rest,
    label: menuLabel,
    onSelect: run,
  }))
}

/** Returns the keys of the actions; the palette lists these actions by their keys. */
export function keysOf(actions: readonly PageAction[]): KeyMap {
  return Object.fromEntries(
    actions.flatMap(({ label: does, key, reason = null, run }) =>
      key === undefined ? [] : [[key, { does, reason, run }]],
    ),
  )
}

/** Returns the palette's entries for actions without a key. `prefix`: of the entries' ids. */
export function paletteActionsOf(prefix: string, actions: readonly PageAction[]): PaletteAction[] {
  return actions.flatMap(({ label, key, reason = null, run }) =>
    key === undefined ? [{ id: `${prefix} ${label}`, label, reason, run }] : [],
  )
}
