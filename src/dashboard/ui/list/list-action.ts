type Reason = string | null

/** An action on rows of a list. Its buttons, menu items, keys and palette entries derive from this. */
export type ListAction<Row, Context> = {
  /** Label of the button in the selection bar. */
  label: string
  /** Label in a row's menu, if it differs from `label`. */
  menuLabel?: string
  /** Description in the keyboard help, if it differs from `label`. */
  keyLabel?: string
  /** Label in the palette, if it differs from `Delete 3 exports`; an action that has its own key is listed by that. */
  paletteLabel?: (rows: string) => string
  /** If actions share a key, the first possible one is performed. */
  keys?: readonly string[]
  /** Applies to one row only: offered in the row's menu and by key on the active row, not for a selection. */
  single?: boolean
  danger?: boolean
  /** Whether a row's menu offers the action; by default, it does. */
  inMenu?: (row: Row) => boolean
  /** Why the action is not possible for a row, one of `count` rows; null if it is possible. */
  reason?: (row: Row, scopes: readonly string[], count: number) => Reason
  /** Why the action is possible for none of several rows; by default, the reason of the first row. */
  reasonForAll?: (scopes: readonly string[]) => Reason
  /** Whether the action is in the selection bar's "⋯" menu even if it is possible. */
  further?: (rows: readonly Row[]) => boolean
  clearsSelection?: boolean
  perform: (rows: readonly Row[], context: Context) => void | Promise<void>
  /** Performs the action on everything that matches the list's filters, loaded or not; omitted if that is not possible. */
  performAll?: (context: Context) => void | Promise<void>
  /** Why the key may not perform the action on everything that matches. */
  reasonOfKey?: (scopes: readonly string[]) => Reason
}

/** Returns why an action is not possible for everything that matches the filters; null if it is. */
export function reasonAgainstAll<Row, Context>(
  { performAll, reasonOfKey }: ListAction<Row, Context>,
  scopes: readonly string[],
): Reason {
  if (!performAll) return 'Not available for all matches: select rows instead.'
  return reasonOfKey?.(scopes) ?? null
}

/** Performs an action on the rows for which it is possible. */
export type Perform<Row, Context> = (action: ListAction<Row, Context>, rows: readonly Row[]) => void

/** Returns the rows for which an action is possible. */
export function possibleRows<Row, Context>(
  { reason }: ListAction<Row, Context>,
  rows: readonly Row[],
  scopes: readonly string[],
): readonly Row[] {
  return rows.filter((row) => !reason?.(row, scopes, rows.length))
}

/** Returns why an action is possible for none of the rows; null if it is possible for at least one, or there are no rows. */
export function reasonAgainst<Row, Context>(
  { reason, reasonForAll }: ListAction<Row, Context>,
  rows: readonly Row[],
  scopes: readonly string[],
): Reason {
  const [first] = rows
  if (!reason || !first || rows.some((row) => reason(row, scopes, rows.length) === null)) return null
  const reasonOfAll = rows.length > 1 ? reasonForAll?.(scopes) : null
  return reasonOfAll ?? reason(first, scopes, rows.length)
}

/** Returns the action that a key performs on these rows. */
export function actionOfKey<Row, Context>(
  actions: readonly ListAction<Row, Context>[],
  key: string,
  rows: readonly Row[],
  scopes: readonly string[],
): ListAction<Row, Context> | undefined {
  const candidates = actions.filter(({ keys }) => keys?.includes(key))
  return candidates.find((action) => reasonAgainst(action, rows, scopes) === null) ?? candidates[0]
}

/**
 * Returns the action's label in the palette, for rows named `what`; null if the palette lists it by its key. An action that
 * shares a key may have both.
 */
export function paletteLabelOf<Row, Context>(
  { label, keys, paletteLabel }: ListAction<Row, Context>,
  what: string,
): string | null {
  if (paletteLabel) return paletteLabel(what)
  return keys ? null : `${label} ${what}`
}
