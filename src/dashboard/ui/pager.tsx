import { count as formatCount } from '../words/amount.ts'
import { Button } from './button.tsx'
import { Icon } from './icon.tsx'

type OffsetPagerProps = { offset: number; limit: number; count: number; onChange: (offset: number) => void }

/** Pages of a list whose length is known; nothing where one page holds all. */
export function OffsetPager({ offset, limit, count, onChange }: OffsetPagerProps) {
  if (offset === 0 && count <= limit) return null
  return (
    <nav aria-label="Pages" className="mt-3 flex items-center gap-2">
      <span className="mr-auto text-ink-3">
        {formatCount(offset + 1)} – {formatCount(Math.min(count, offset + limit))} of {formatCount(count)}
      </span>
      <Button
        reason={offset === 0 ? 'This is the first page.' : null}
        onClick={() => onChange(Math.max(0, offset - limit))}
      >
        <Icon name="left" /> Previous
      </Button>
      <Button
        reason={offset + limit >= count ? 'This is the last page.' : null}
        onClick={() => onChange(offset + limit)}
      >
        Next <Icon name="right" />
      </Button>
    </nav>
  )
}

type CursorPagerProps = {
  /** Links to other pages as the API gives them. */
  newer: string | null
  older: string | null
  onChange: (cursor: string | undefined) => void
}

/** Pages of a list that grows at its head; nothing where one page holds all. */
export function CursorPager({ newer, older, onChange }: CursorPagerProps) {
  if (newer === null && older === null) return null
  return (
    <nav aria-label="Pages" className="mt-3 flex items-center justify-end gap-2">
      <Button
        reason={newer === null ? 'These are the newest.' : null}
        onClick={() => onChange(cursorOf(newer))}
      >
        <Icon name="left" /> Newer
      </Button>
      <Button
        reason={older === null ? 'These are the oldest.' : null}
        onClick={() => onChange(cursorOf(older))}
      >
        Older <Icon name="right" />
      </Button>
    </nav>
  )
}

function cursorOf(link: string | null): string | undefined {
  return link === null ? undefined : (new URL(link, location.origin).searchParams.get('cursor') ?? undefined)
}
