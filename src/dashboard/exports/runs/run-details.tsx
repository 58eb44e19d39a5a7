import { useState, type ReactNode } from 'react'
import type { z } from 'zod'
import type { BatchExportRun, RunWithFiles } from '../../../contract/runs/batch-export-run.ts'
import { isRunInProgress, runCan } from '../../../contract/runs/run-status.ts'
import { useAccount } from '../../account.ts'
import { Status } from '../../ui/status.tsx'
import { TextLink } from '../../ui/text-link.tsx'
import { Elapsed, RelativeTime, ShortTime, WindowTime } from '../../ui/time.tsx'
import { useKeys } from '../../ui/use-keys.ts'
import { bytes, count, counted } from '../../format/amount.ts'
import { runStatusInWords } from '../../format/run-status.ts'
import { LogView, useLogLines } from './log-view.tsx'
import { RetryButton, useCancel, useRetry } from './retry-button.tsx'
import { RunError } from './run-error.tsx'
import { RunProgress } from './run-progress.tsx'
import { useQuery } from '@tanstack/react-query'
import type { LogEntry } from '../../../contract/runs/log-entry.ts'
import type { RunFile } from '../../../contract/runs/run-files.ts'
import { Button } from '../../ui/controls/button.tsx'
import { CopyButton } from '../../ui/feedback/copy-button.tsx'
import { DialogButton } from '../../ui/controls/dialog-button.tsx'
import { ProblemNote } from '../../ui/feedback/problem-note.tsx'
import { endpointQuery } from '../../queries/endpoint-query.ts'
import { live } from '../../queries/live.ts'
import { lazyNamed } from '../../ui/lazy-named.ts'

/** Shows everything about one run: its result, attempts, files and logs. */
export function RunDetails({ run }: { run: z.infer<typeof RunWithFiles> }) {
  const { projectId, scopes } = useAccount()
  const source = { projectId, batchExportId: run.batch_export, runId: run.id }
  // After the run ends, one more fetch returns the last lines.
  const log = useLogLines(source, noFilter, isRunInProgress(run.status) ? 'often' : 'seldom')
  const attempts = attemptsIn(log.lines ?? [])
  const retry = useRetry(run.batch_export)
  const cancel = useCancel(run.batch_export)
  useKeys({
    r: { does: 'Retry this run', reason: runCan.retry(run, scopes), run: () => retry([run]) },
    c: { does: 'Cancel this run', reason: runCan.cancel(run, scopes), run: () => cancel(run) },
  })
  return (
    <div className="flex flex-col gap-5">
      <Outcome run={run} onRetry={() => retry([run])} onCancel={() => cancel(run)} />
      {run.latest_error && <RunError error={run.latest_error} />}
      <Facts run={run} />
      {attempts.length > 1 && <Attempts attempts={attempts} />}
      {run.files.length > 0 && <RunFiles runId={run.id} />}
      {run.window_query !== null && <WindowQuery query={run.window_query} />}
      <section aria-label="Logs of this run" className="flex flex-col items-start gap-2 [&>ol]:w-full">
        <h2>Logs</h2>
        <LogView log={log} emptyText="No log lines yet" />
      </section>
    </div>
  )
}

/** The rows of a run in a table, as a query to copy. */
function WindowQuery({ query }: { query: string }) {
  return (
    <section aria-label="Query" className="flex flex-col items-start gap-2">
      <h2>Its rows in the table</h2>
      <div className="flex max-w-full items-start gap-1">
        <code className="rounded-md border border-line px-3 py-2 wrap-anywhere select-all">{query}</code>
        <CopyButton name="the query" text={query} />
      </div>
    </section>
  )
}

const noFilter = {}

type OutcomeProps = { run: BatchExportRun; onRetry: () => void; onCancel: () => void }

function Outcome({ run, onRetry, onCancel }: OutcomeProps) {
  const { label, tone, explanation } = runStatusInWords(run.status)
  return (
    <div className="flex flex-wrap items-center gap-3">
      <Status tone={tone}>{label}</Status>
      {run.status === 'Running' ? (
        <RunProgress run={run} />
      ) : (
        <span className="text-ink-3">{explanation}</span>
      )}
      <span className="ml-auto flex gap-2 print:hidden">
        <DialogButton look="quiet" label="Show as curl">
          {(onClose) => <RunCurl run={run} onClose={onClose} />}
        </DialogButton>
        <RetryButton run={run} look="plain" onRetry={onRetry} onCancel={onCancel} />
      </span>
    </div>
  )
}

function Facts({ run }: { run: BatchExportRun }) {
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-1">
      <Fact name="Window">
        <WindowTime start={run.data_interval_start} end={run.data_interval_end} />
      </Fact>
      <Fact name="Rows">
        {count(run.records_completed)}
        {run.records_total_count !== null && ` of ${count(run.records_total_count)}`}
      </Fact>
      {run.bytes_exported !== null && <Fact name="Size">{bytes(run.bytes_exported)}</Fact>}
      <Fact name="Created">
        <ShortTime time={run.created_at} /> (<RelativeTime time={run.created_at} />)
      </Fact>
      <Fact name="Duration">
        <Elapsed from={run.created_at} until={run.finished_at} />, waiting included
        {run.attempt > 1 && `, in ${counted(run.attempt, 'attempt')}`}
      </Fact>
      {run.backfill && (
        <Fact name="Backfill">
          <TextLink to="/exports/$id" params={{ id: run.batch_export }} search={{ backfill: run.backfill }}>
            All runs of this backfill
          </TextLink>
        </Fact>
      )}
      <Fact name="Run">
        <code className="wrap-anywhere select-all">{run.id}</code>
      </Fact>
    </dl>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-ink-3">{name}</dt>
      <dd className="min-w-0">{children}</dd>
    </>
  )
}

type Attempt = {
  number: number
  startedAt: string
  /** null while the attempt runs. */
  endedAt: string | null
  /** The result, as logged; null while the attempt runs. */
  outcome: string | null
  tone: 'ok' | 'failed' | 'running' | 'quiet'
}

const endings: readonly (readonly [RegExp, Attempt['tone']])[] = [
  [/^Completed: /, 'ok'],
  [/^Failed: /, 'failed'],
  [/^Timed out: /, 'failed'],
  [/^Attempt \d+ failed: /, 'failed'],
  [/^(?=Cancelled|Terminated|Handed back|Taken over)/, 'quiet'],
]

/** Returns a run's attempts, oldest first, parsed from its log lines, newest first. */
export function attemptsIn(lines: readonly LogEntry[]): Attempt[] {
  const attempts: Attempt[] = []
  for (const { message, timestamp } of lines.toReversed()) {
    const number = /^Attempt (\d+) started/.exec(message)?.[1]
    if (number) {
      const running = { endedAt: null, outcome: null, tone: 'running' } as const
      attempts.push({ number: Number(number), startedAt: timestamp, ...running })
      continue
    }
    const last = attempts.at(-1)
    const ending = endings.find(([pattern]) => pattern.test(message))
    if (!last || last.endedAt !== null || !ending) continue
    const [prefix, tone] = ending
    const words = message.replace(prefix, '')
    Object.assign(last, { endedAt: timestamp, outcome: words.charAt(0).toUpperCase() + words.slice(1), tone })
  }
  return attempts
}

const attemptInWords: Record<Attempt['tone'], string> = {
  ok: 'completed',
  failed: 'failed',
  running: 'running',
  quiet: 'stopped',
}

function Attempts({ attempts }: { attempts: readonly Attempt[] }) {
  return (
    <section aria-label="Attempts" className="flex flex-col gap-2">
      <h2>Attempts</h2>
      <ol className="flex flex-col gap-2">
        {attempts.map(({ number, startedAt, endedAt, tone, outcome }) => (
          <li key={`${number} ${startedAt}`} className="flex flex-wrap gap-x-3">
            <span className="w-34">
              <Status tone={tone}>
                {number}. {attemptInWords[tone]}
              </Status>
            </span>
            <span className="text-ink-3">
              <ShortTime time={startedAt} />, <Elapsed from={startedAt} until={endedAt} />
            </span>
            {outcome && tone !== 'ok' && (
              <span className="basis-full pl-3.5 text-ink-2 wrap-anywhere">{outcome}</span>
            )}
          </li>
        ))}
      </ol>
    </section>
  )
}

/** Files listed at first, and at most. */
const shownFirst = 10
const shownMax = 1000

/** Lists the files that a run wrote, with their sizes; those on the service's disk can be downloaded. */
function RunFiles({ runId }: { runId: string }) {
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

/** The first files that a run wrote; refreshed before the addresses of downloads expire. */
function runFilesQuery(projectId: string, id: string, limit: number) {
  return {
    ...endpointQuery('filesOfRun', { params: { project_id: projectId, id }, query: { limit } }),
    ...live(() => 'resting'),
  }
}

const RunCurl = lazyNamed(() => import('../curl/curl-dialogs.tsx'), 'RunCurl')
