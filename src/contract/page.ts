import { z } from 'zod'

const link = z.string().nullable()

export function offsetPage<Item extends z.ZodType>(item: Item) {
  return z.object({ count: z.int(), next: link, previous: link, results: z.array(item) })
}

export function cursorPage<Item extends z.ZodType>(item: Item) {
  return z.object({ next: link, previous: link, results: z.array(item) })
}

/** Corrects invalid values: a `limit` that is not a positive integer becomes the default, a larger one `limitMax`. */
export function offsetQuery(defaultLimit: number, limitMax = 1000) {
  return z.object({
    limit: z.coerce
      .number()
      .int()
      .positive()
      .catch(defaultLimit)
      .transform((limit) => Math.min(limit, limitMax)),
    offset: z.coerce.number().int().nonnegative().max(Number.MAX_SAFE_INTEGER).catch(0),
  })
}

/**
 * The query of a list that can become long. The links to its other pages have a `cursor`, from which these are read: skipping the
 * rows before an offset takes the longer, the more there are.
 */
export function longListQuery(defaultLimit: number, limitMax?: number) {
  return offsetQuery(defaultLimit, limitMax).extend({ cursor: z.string().optional().catch(undefined) })
}

/** A query parameter that a client may repeat. */
export function repeatable<Item extends z.ZodType>(item: Item) {
  return z.preprocess(
    (value) => (value === undefined || Array.isArray(value) ? value : [value]),
    z.array(item).optional(),
  )
}
