type Reason = string | null

/** Something that can be done with rows of a list. Its buttons, menu items, keys and palette entries derive from this. */
export type ListAction<Row, Context> = {
  /** On its button in the selection bar. */
  label: string
  /** In a row's menu, where that differs from `label`. */
  menuLabel?: string
  /** As the help for keys says it, where that differs from `label`. */
  keyLabel?: string
  /** In the palette, for an action that has no key to itself: "Unpause 3 exports". */
  paletteLabel?: (rows: string) => string
  /** Of several actions that share a key, the first that is possible is performed. */
  keys?: readonly string[]
  /** Only in the menu of a row and by key on the active row, never on a selection. */
  single?: boolean
  danger?: boolean
  /** Whether a row's menu offers it; always by default. */
  inMenu?: (row: Row) => boolean
  /** Why it is not possible for a row, one of `count` rows; always possible by default. */
  reason?: (row: Row, scopes: readonly string[], count: number) => Reason
  /** Why it is possible for none of several rows; by default the reason of the first row. */
  reasonForAll?: (scopes: readonly string[]) => Reason
  /** Clears the selection. */
  clears?: boolean
  /** With the number of requests that have ended, while several are being sent: "Pausing". */
  doing?: string
  perform: (rows: readonly Row[], context: Context, onProgress?: OnProgress) => void | Promise<void>
}

/** Called with the number of requests that have ended. */
export type OnProgress = (ended: number) => void

/** Performs an action on those of the rows for which it is possible. */
export type Perform<Row, Context> = (action: ListAction<Row, Context>, rows: readonly Row[]) => void

/** An action's rows for which it is possible, and the reason when there are none. */
export function possibleFor<Row, Context>(
  { reason, reasonForAll }: ListAction<Row, Context>,
  rows: readonly Row[],
  scopes: readonly string[],
): { rows: readonly Row[]; reason: Reason } {
  if (!reason) return { rows, reason: null }
  const possible = rows.filter((row) => reason(row, scopes, rows.length) === null)
  const [first] = rows
  if (possible.length > 0 || !first) return { rows: possible, reason: null }
  const ofAll = rows.length > 1 ? reasonForAll?.(scopes) : null
  return { rows: [], reason: ofAll ?? reason(first, scopes, rows.length) }
}

/** The action that a key performs on these rows. */
export function actionOfKey<Row, Context>(
  actions: readonly ListAction<Row, Context>[],
  key: string,
  rows: readonly Row[],
  scopes: readonly string[],
): ListAction<Row, Context> | undefined {
  const sharing = actions.filter(({ keys }) => keys?.includes(key))
  return sharing.find((action) => possibleFor(action, rows, scopes).reason === null) ?? sharing[0]
}
