import { z } from 'zod'
import { isUuid } from '../auth/uuid.ts'
import { notFound } from '../problems/api-error.ts'
import type { PageLink } from '../http/page-links.ts'
import type { KeysetPage, PagePosition } from '../store/schema/keyset-page.ts'
import type { OffsetPage } from '../store/schema/rows.ts'

const Cursor = z.tuple([z.string(), z.enum(['next', 'previous']), z.string().refine(isUuid)])

const newestFirst = '-created_at'
const isNumber = /^\d{1,18}$/

/**
 * Reads the position at which a cursor's page starts; null without a cursor.
 * @throws ApiError 404 for an invalid cursor, or one from a list in another order.
 */
export function readCursor(cursor: string | undefined, ordering = newestFirst): PagePosition | null {
  if (cursor === undefined || cursor === '') return null
  const parsed = Cursor.safeParse(decodeCursor(cursor))
  if (!parsed.success || parsed.data[0] !== ordering) throw invalidCursor()
  const [, direction, id] = parsed.data
  return { id, back: direction === 'previous' }
}

/** Returns a page in its envelope. @throws ApiError 404 if `page` is null: the cursor's row is not in this list. */
export function showCursorPage<Row extends { id: string }, Shown>(
  page: KeysetPage<Row> | null,
  link: PageLink,
  show: (row: Row) => Shown,
  ordering = newestFirst,
): { next: string | null; previous: string | null; results: Shown[] } {
  if (!page) throw invalidCursor()
  const { rows, hasNext, hasPrevious } = page
  const linkFrom = (row: Row | undefined, direction: 'next' | 'previous') =>
    link({ cursor: row ? encodeCursor([ordering, direction, row.id]) : null })
  return {
    next: hasNext ? linkFrom(rows.at(-1), 'next') : null,
    previous: hasPrevious ? linkFrom(rows[0], 'previous') : null,
    results: rows.map(show),
  }
}

const Position = z.tuple([z.enum(['next', 'previous']), z.string()])

/** Returns where the page of a list with offsets begins by its link; null if the link, or a client, gave only the offset. */
export function positionOf(
  { cursor }: { cursor?: string | undefined },
  ids: 'uuid' | 'number' = 'uuid',
): PagePosition | null {
  const parsed = Position.safeParse(cursor === undefined ? null : decodeCursor(cursor))
  if (!parsed.success) return null
  const [direction, id] = parsed.data
  return (ids === 'uuid' ? isUuid(id) : isNumber.test(id)) ? { id, back: direction === 'previous' } : null
}

/** Returns a page of a list with offsets in its envelope; its links lead to the rows beside it without counting those before. */
export function showOffsetPage<Row extends { id: string | number }, Shown>(
  { count, rows, hasNext, hasPrevious }: OffsetPage<Row>,
  { link, query }: { link: PageLink; query: { limit: number; offset: number } },
  show: (row: Row) => Shown,
) {
  const { limit, offset } = query
  const linkTo = (start: number, direction: 'next' | 'previous', beside: Row | undefined) =>
    link({
      limit,
      offset: start > 0 ? start : null,
      cursor: beside ? encodeCursor([direction, String(beside.id)]) : null,
    })
  return {
    count,
    next: hasNext && rows.length > 0 ? linkTo(offset + limit, 'next', rows.at(-1)) : null,
    previous: hasPrevious ? linkTo(offset - limit, 'previous', rows[0]) : null,
    results: rows.map(show),
  }
}

/** Returns the text of a cursor, which is opaque to clients. */
export function encodeCursor(cursor: unknown): string {
  return Buffer.from(JSON.stringify(cursor)).toString('base64url')
}

/** Returns the content of a cursor; null if a client has made it up. */
export function decodeCursor(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString())
  } catch {
    return null
  }
}

function invalidCursor() {
  return notFound('Invalid cursor')
}
