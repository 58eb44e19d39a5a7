import { useCallback } from 'react'
import { ButtonLink } from '../../ui/button-link.tsx'
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

/** Shows the age of the rows; `time` in milliseconds of the browser's clock. */
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
