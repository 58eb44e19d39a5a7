import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useAccount } from '../../account.ts'
import { defaultFailureDays, failureCausesQuery } from '../../queries/exports/failure-causes.ts'
import { causesInWords } from '../../format/failure.ts'
import { ShortenedWords } from '../list/shortened-words.tsx'

/** Links to the page of failures, with their number: `142 failed windows, 3 causes`, on a phone `142 failed`. */
export function FailuresLink() {
  const { projectId } = useAccount()
  const [openedAt] = useState(Date.now)
  const { data } = useQuery(failureCausesQuery(projectId, defaultFailureDays, openedAt))
  if (!data || data.causes_count === 0) return null
  return (
    <Link
      to="/problems"
      title="Show why runs failed in the last 7 days, and retry them by cause"
      className="inline-flex h-8 items-center rounded-md px-2.5 font-medium max-sm:px-1 text-fail-ink hover:bg-hover"
    >
      <ShortenedWords words={causesInWords(data)} last="failed" />
    </Link>
  )
}
