import { Button } from '../controls/button.tsx'
import { Icon } from '../icon.tsx'

type CursorPagerProps = {
  /** Links to the adjacent pages, as returned by the API. */
  newer: string | null
  older: string | null
  onChange: (cursor: string | undefined) => void
}

/** Shows buttons to the newer and older pages of a list; nothing if all rows fit on one page. */
export function CursorPager({ newer, older, onChange }: CursorPagerProps) {
  if (newer === null && older === null) return null
  return (
    <nav aria-label="Pages" className="mt-3 flex items-center justify-end gap-2">
      <Button
        reason={newer === null ? 'This is the newest page.' : null}
        onClick={() => onChange(cursorOf(newer))}
      >
        <Icon name="left" /> Newer
      </Button>
      <Button
        reason={older === null ? 'This is the oldest page.' : null}
        onClick={() => onChange(cursorOf(older))}
      >
        Older <Icon name="right" />
      </Button>
    </nav>
  )
}

/** Returns the cursor in a link to another page; undefined without a link. */
export function cursorOf(link: string | null): string | undefined {
  return link === null ? undefined : (new URL(link, location.origin).searchParams.get('cursor') ?? undefined)
}
