/** Start of a page: after the row `id`, or before it if `back`. */
export type PagePosition = { id: string; back: boolean }

export type KeysetPage<Row> = { rows: Row[]; hasNext: boolean; hasPrevious: boolean }

type PageBounds = {
  /** Id of the row next to the page's first row; null for the first page. */
  anchor: string | null
  comparison: '<' | '>'
  direction: 'asc' | 'desc'
  limit: number
}

type KeysetQuery<Row> = {
  position: PagePosition | null
  size: number
  descending: boolean
  /** Whether the position's row exists. */
  anchor: (id: string) => Promise<boolean>
  rows: (bounds: PageBounds) => Promise<Row[]>
}

/**
 * Returns the page after or before a row; null if that row does not exist. Unlike with an offset, rows inserted between
 * two requests cause no repeated or missing rows.
 */
export async function keysetPage<Row>(query: KeysetQuery<Row>): Promise<KeysetPage<Row> | null> {
  const { position, size, descending } = query
  if (position && !(await query.anchor(position.id))) return null
  const back = position?.back ?? false
  const downward = descending !== back
  const found = await query.rows({
    anchor: position?.id ?? null,
    comparison: downward ? '<' : '>',
    direction: downward ? 'desc' : 'asc',
    limit: size + 1,
  })
  const more = found.length > size
  const rows = found.slice(0, size)
  return back
    ? { rows: rows.reverse(), hasNext: true, hasPrevious: more }
    : { rows, hasNext: more, hasPrevious: position !== null }
}
