/** Where a page begins: beyond the row `id`, onward or back. */
export type PagePosition = { id: string; back: boolean }

export type KeysetPage<Row> = { rows: Row[]; hasNext: boolean; hasPrevious: boolean }

type PageBounds = {
  /** The row beyond which the page begins; null for the first page. */
  anchor: string | null
  comparison: '<' | '>'
  direction: 'asc' | 'desc'
  limit: number
}

type KeysetQuery<Row> = {
  position: PagePosition | null
  size: number
  descending: boolean
  /** Whether the row that the position names is there. */
  anchor: (id: string) => Promise<boolean>
  rows: (bounds: PageBounds) => Promise<Row[]>
}

/**
 * A page that starts beyond a row, not after a number of rows: what is inserted meanwhile neither repeats nor hides any.
 * null when the position's row is unknown.
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
