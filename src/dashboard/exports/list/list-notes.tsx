import { useCallback } from 'react'
import { Button } from '../../ui/button.tsx'
import { ButtonLink } from '../../ui/button-link.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { Icon } from '../../ui/icon.tsx'
import { KeyHint } from '../../ui/key-hint.tsx'
import { useOfNow } from '../../ui/use-of-now.ts'
import { duration } from '../../words/time.ts'

type Reasoned = { look?: 'primary' | 'plain'; reason: string | null }

export function NewExport({ look = 'primary', reason }: Reasoned) {
  return (
    <ButtonLink to="/exports/new" look={look} reason={reason}>
      <Icon name="plus" /> New export <KeyHint of="n" />
    </ButtonLink>
  )
}

/** What to do where there is nothing yet. */
export function NoExports({ reason }: { reason: string | null }) {
  return (
    <EmptyState title="No batch exports yet">
      <p>
        A batch export writes a project’s events or persons to a bucket or a folder, every five minutes, hour,
        day or week.
      </p>
      <ol className="list-decimal pl-5 text-left">
        <li>Say what is exported: a model, or columns of your own by a query.</li>
        <li>Say where it goes, and test the connection.</li>
        <li>
          Say how often. The first run starts when its first window has passed; a backfill exports earlier
          ones.
        </li>
      </ol>
      <NewExport reason={reason} />
    </EmptyState>
  )
}

export function NothingMatches({ onClear }: { onClear: () => void }) {
  return (
    <EmptyState title="No export matches the filters">
      <Button onClick={onClear}>Clear filters</Button>
    </EmptyState>
  )
}

/** How old what is shown is; `time` in milliseconds of this browser's clock. */
export function AsOf({ time }: { time: number }) {
  const age = useOfNow(
    useCallback(
      (now: number) => {
        const seconds = Math.max(0, Math.round((now - time) / 1000))
        if (seconds < 5) return 'just now'
        return `${seconds < 60 ? `${seconds} s` : duration(seconds * 1000)} ago`
      },
      [time],
    ),
  )
  return <span className="whitespace-nowrap">as of {age}</span>
}

/** Lines where the rows will be. */
export function ListSkeleton() {
  return (
    <output aria-label="Loading" className="appear-late flex flex-col pt-9">
      {Array.from({ length: 8 }, (_, index) => (
        <span key={index} className="flex h-11 items-center gap-6 border-t border-line px-2">
          <span className="h-3.5 w-3.5 rounded-sm bg-hover" />
          <span className="h-3 rounded-sm bg-hover" style={{ width: `${12 + ((index * 7) % 10)}%` }} />
          <span className="h-3 w-20 rounded-sm bg-hover" />
          <span className="h-4 w-60 rounded-sm bg-hover max-md:hidden" />
          <span className="h-3 flex-1 rounded-sm bg-hover max-lg:hidden" />
        </span>
      ))}
    </output>
  )
}
