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
  const { ids, anchor } = selection
  if (anchor === null || !order.includes(anchor) || !order.includes(id)) return toggled(selection, id)
  return { ids: ids.union(rowsBetween(anchor, id, order)), anchor }
}

/** Adds these rows to the selection, or deselects them if all of them are selected. */
export function toggledAll(selection: Selection, ids: readonly string[]): Selection {
  const these = new Set(ids)
  const all = these.isSubsetOf(selection.ids)
  return { ids: all ? selection.ids.difference(these) : selection.ids.union(these), anchor: null }
}

/** A drag over checkboxes, in strokes: one ends when the pointer leaves the column of checkboxes. */
export type Drag = {
  /** Deselects rows, because it began on a selected one. */
  deselects: boolean
  /** The first row of the stroke; null between two strokes. */
  first: string | null
  /** The selection before the stroke. */
  before: Selection
  now: Selection
}

export function startDrag(selection: Selection, id: string): Drag {
  return { deselects: selection.ids.has(id), first: id, before: selection, now: toggled(selection, id) }
}

/** Extends or shortens the stroke so that it ends at this row; null ends the stroke where it is. */
export function dragTo(drag: Drag, id: string | null, order: readonly string[]): Drag {
  if (id === null) return { ...drag, first: null, before: drag.now }
  if (!order.includes(id)) return drag
  const { deselects } = drag
  // The first row of a stroke can disappear from a live list.
  const [first, before] =
    drag.first !== null && order.includes(drag.first) ? [drag.first, drag.before] : [id, drag.now]
  const stroke = rowsBetween(first, id, order)
  const ids = deselects ? before.ids.difference(stroke) : before.ids.union(stroke)
  return { ...drag, first, before, now: { ids, anchor: first } }
}

function rowsBetween(one: string, other: string, order: readonly string[]): Set<string> {
  const [from, to] = [order.indexOf(one), order.indexOf(other)]
  return new Set(order.slice(Math.min(from, to), Math.max(from, to) + 1))
}
