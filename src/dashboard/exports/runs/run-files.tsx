import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { RunFile } from '../../../contract/runs/run-files.ts'
import { useAccount } from '../../account.ts'
import { runFilesQuery } from '../../queries/exports/run-files.ts'
import { Button } from '../../ui/controls/button.tsx'
import { ProblemNote } from '../../ui/feedback/problem-note.tsx'
import { bytes, count } from '../../format/amount.ts'

/** Files listed at first, and at most. */
const shownFirst = 10
const shownMax = 1000

/** Lists the files that a run wrote, with their sizes; those on the service's disk can be downloaded. */
export function RunFiles({ runId }: { runId: string }) {
  const { projectId } = useAccount()
  const [limit, setLimit] = useState(shownFirst)
  const { data, error, refetch } = useQuery(runFilesQuery(projectId, runId, limit))
  const listed = Math.min(data?.count ?? 0, shownMax)
  return (
    <section aria-label="Files written" className="flex flex-col items-start gap-2">
      <h2>
        Files written <span className="font-normal text-ink-3">{data && count(data.count)}</span>
      </h2>
      {error && <ProblemNote error={error} onRetry={() => void refetch()} />}
      {data && (
        <ul className="w-full">
          {data.results.map((file) => (
            <FileLine key={file.name} file={file} />
          ))}
        </ul>
      )}
      {data && limit < listed && (
        <Button onClick={() => setLimit(shownMax)}>Show {count(listed - limit)} more</Button>
      )}
      {data && data.count > shownMax && limit === shownMax && (
        <p className="text-ink-3">The ledger of the export lists the other {count(data.count - shownMax)}.</p>
      )}
    </section>
  )
}

function FileLine({ file: { name, bytes: size, path } }: { file: RunFile }) {
  return (
    <li className="flex flex-wrap items-baseline gap-x-3 py-0.5">
      <code className="min-w-0 wrap-anywhere select-all">{name}</code>
      <span className="ml-auto whitespace-nowrap text-ink-3 tabular-nums">
        {size !== null && bytes(size)}
      </span>
      {path !== null && (
        <a
          href={path}
          download
          aria-label={`Download ${name}`}
          className="underline underline-offset-2 print:hidden"
        >
          Download
        </a>
      )}
    </li>
  )
}
