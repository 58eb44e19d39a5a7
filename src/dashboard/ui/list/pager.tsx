import { Button } from '../button.tsx'
import { Icon } from '../icon.tsx'

type CursorPagerProps = {
  /** Links to other pages as the API gives them. */
  newer: string | null
  older: string | null
  onChange: (cursor: string | undefined) => void
}

/** Buttons to the newer and older pages of a list; nothing when one page holds every row. */
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
