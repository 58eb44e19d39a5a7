/** Returns the URL of another page: the requested URL with these parameters set or, if null, removed. */
export type PageLink = (changes: Record<string, string | number | null>) => string

export function pageLinks(requestUrl: URL): PageLink {
  return (changes) => {
    const url = new URL(requestUrl)
    for (const [name, value] of Object.entries(changes)) {
      if (value === null) url.searchParams.delete(name)
      else url.searchParams.set(name, String(value))
    }
    return url.href
  }
}

/** Returns the links to the next and previous page of a list of `count` items; null where there is no such page. */
export function offsetLinks(
  link: PageLink,
  page: { limit: number; offset: number },
  count: number,
): { next: string | null; previous: string | null } {
  const { limit, offset } = page
  const earlier = offset - limit
  return {
    next: offset + limit < count ? link({ limit, offset: offset + limit }) : null,
    previous: offset > 0 ? link({ limit, offset: earlier > 0 ? earlier : null }) : null,
  }
}

/** Returns the requested page of a list that is short enough to be read as a whole. */
export function pageOfList<Row, Shown>(
  rows: readonly Row[],
  { link, query }: { link: PageLink; query: { limit: number; offset: number } },
  show: (row: Row) => Shown,
) {
  const { limit, offset } = query
  const results = rows.slice(offset, offset + limit).map(show)
  return { count: rows.length, ...offsetLinks(link, query, rows.length), results }
}
