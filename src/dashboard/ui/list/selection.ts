/** The selected rows, and the row at which the next range starts. */
export type Selection = { ids: ReadonlySet<string>; anchor: string | null }

export const nothingSelected: Selection = { ids: new Set(), anchor: null }

/** Selects or deselects a row, which becomes the anchor. */
export function toggled(selection: Selection, id: string): Selection {
  const ids = new Set(selection.ids)
  if (!ids.delete(id)) ids.add(id)
  return { ids, anchor: id }
}

/** Selects all rows from the anchor to this one, both included; `order` is the rows' order on the page. */
export function rangeTo(selection: Selection, id: string, order: readonly string[]): Selection {
  const from = selection.anchor === null ? -1 : order.indexOf(selection.anchor)
  const to = order.indexOf(id)
  if (from === -1 || to === -1) return toggled(selection, id)
  const range = order.slice(Math.min(from, to), Math.max(from, to) + 1)
  return { ids: new Set([...selection.ids, ...range]), anchor: selection.anchor }
}

/** Adds these rows to the selection, or deselects them if all of them are selected. */
export function toggledAll(selection: Selection, ids: readonly string[]): Selection {
  const these = new Set(ids)
  const all = these.isSubsetOf(selection.ids)
  return { ids: all ? selection.ids.difference(these) : selection.ids.union(these), anchor: null }
}
