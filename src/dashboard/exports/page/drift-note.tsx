import { Link } from '@tanstack/react-router'
import type { AppliedFacts } from '../../../contract/exports/batch-export.ts'
import { RelativeTime } from '../../ui/time.tsx'

/** Says that the settings differ from the file they were applied from, and links the differences. */
export function DriftNote({ applied, id }: { applied: AppliedFacts; id: string }) {
  return (
    <p className="mt-2 text-short-ink">
      Changed since it was applied{applied.source !== null && ` from ${applied.source}`},{' '}
      <RelativeTime time={applied.at} />:{' '}
      <Link to="/exports/$id/settings" params={{ id }} className="underline underline-offset-2">
        show the differences
      </Link>
    </p>
  )
}
