import { useState } from 'react'
import { useAccount } from '../account.ts'
import { Button } from '../ui/controls/button.tsx'
import { TextLink } from '../ui/text-link.tsx'

/** Says that the project contains sample data, and what to try with it, until it is hidden. */
export function SampleNote() {
  const { projectId } = useAccount()
  const hiddenKey = `spool.sample-note-hidden.${projectId}`
  const [isHidden, setIsHidden] = useState(() => localStorage.getItem(hiddenKey) !== null)
  if (isHidden) return null
  const hide = () => {
    localStorage.setItem(hiddenKey, 'yes')
    setIsHidden(true)
  }
  return (
    <section
      aria-label="Sample data"
      className="mt-3 flex items-start gap-3 rounded-md border border-line px-3 py-1.5"
    >
      <p className="min-w-0 flex-1 py-1.5 text-ink-2">
        <strong className="font-semibold text-ink">This is sample data</strong>: 30 days of an invented shop.
        Try this: fix the{' '}
        <TextLink to="/exports" search={{ state: 'failing' }}>
          failing export
        </TextLink>
        , <TextLink to="/problems">repair</TextLink> the missing windows, or watch a{' '}
        <TextLink to="/recordings">recording</TextLink>.
      </p>
      <Button look="quiet" onClick={hide}>
        Hide
      </Button>
    </section>
  )
}
