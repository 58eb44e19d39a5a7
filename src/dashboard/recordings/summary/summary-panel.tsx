import { useQuery } from '@tanstack/react-query'
import { useAccount } from '../../account.ts'
import { summaryQuery, useRewordSummary } from '../../queries/recordings/summary.ts'
import { Button } from '../../ui/controls/button.tsx'
import { toastFailure } from '../../ui/feedback/toasts.ts'
import { ListProblem } from '../../ui/list/list-notes.tsx'
import type { RecordingSummary } from '../../../contract/recordings/recording-summary.ts'
import { clockTime } from '../../format/clock.ts'
import { RelativeTime } from '../../ui/time.tsx'

/** `onSeek` seeks to a moment, in seconds since the recording's start. */
type SummaryPanelProps = { recordingId: string; onSeek: (seconds: number) => void }

/** The stored summary of a recording, and a button that has the language model word it if there is one. */
export function SummaryPanel({ recordingId, onSeek }: SummaryPanelProps) {
  const { projectId } = useAccount()
  const { data, error, refetch } = useQuery(summaryQuery(projectId, recordingId))
  const rewording = useRewordSummary(projectId, recordingId)
  const reword = () =>
    rewording.mutate(undefined, { onError: toastFailure('The summary could not be rewritten.', reword) })
  if (!data && error) return <ListProblem error={error} onRetry={() => void refetch()} />
  if (!data) return <output className="appear-late text-ink-3">Summarizing…</output>
  const { summary, language_model: model } = data
  return (
    <div className="flex flex-col gap-4">
      <SummaryView summary={summary} onSeek={onSeek} />
      {model !== null && summary.written_by === 'rules' && (
        <div>
          <Button busy={rewording.isPending} onClick={reword}>
            {rewording.isPending ? 'Rewriting…' : `Rewrite with ${model}`}
          </Button>
        </div>
      )}
    </div>
  )
}

type OnSeek = SummaryPanelProps['onSeek']

/** A session's summary: how it ended, what the person did, what went wrong, where the time went, and the pages. */
function SummaryView({ summary, onSeek }: { summary: RecordingSummary; onSeek: OnSeek }) {
  const { outcome, sentences, problems, time, segments, moments, written_by: writtenBy } = summary
  const { mark, name } = outcomes[outcome.kind]
  const timeOf = new Map(moments.map(({ id, at }) => [id, at]))
  const timed = ({ text, moment }: { text: string; moment: number }) => ({
    text,
    at: timeOf.get(moment) ?? 0,
  })
  const pages = segments.map((page) => ({
    text: page.text === '' ? page.name : `${page.name}: ${page.text}`,
    at: page.start,
  }))
  return (
    <>
      {/* A sentence written by rules already names the outcome. */}
      <MomentLine
        {...timed({ ...outcome, text: `${mark} ${writtenBy === 'model' ? `${name}: ` : ''}${outcome.text}` })}
        onSeek={onSeek}
      />
      <MomentLines title="What happened" lines={sentences.map(timed)} onSeek={onSeek} />
      <MomentLines title="What went wrong" lines={problems.map(timed)} onSeek={onSeek} />
      <MomentLines title="Where the time went" lines={time.map(timed)} onSeek={onSeek} />
      <MomentLines title="Pages" lines={pages} onSeek={onSeek} />
      <WrittenBy summary={summary} />
    </>
  )
}

const outcomes: Record<RecordingSummary['outcome']['kind'], { mark: string; name: string }> = {
  completed: { mark: '✓', name: 'Completed' },
  abandoned: { mark: '◌', name: 'Abandoned' },
  failed: { mark: '▲', name: 'Failed' },
  looked_around: { mark: '→', name: 'Looked around' },
  unfinished: { mark: '…', name: 'Unfinished' },
}

type Line = { text: string; at: number }

function MomentLines({ title, lines, onSeek }: { title: string; lines: readonly Line[]; onSeek: OnSeek }) {
  if (lines.length === 0) return null
  return (
    <section aria-label={title}>
      <h3 className="mb-1 text-xs font-medium text-ink-3">{title}</h3>
      <ul className="flex flex-col gap-1.5">
        {lines.map((line) => (
          <li key={`${line.at} ${line.text}`}>
            <MomentLine {...line} onSeek={onSeek} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function MomentLine({ text, at, onSeek }: Line & { onSeek: OnSeek }) {
  return (
    <button
      type="button"
      onClick={() => onSeek(at)}
      className="flex w-full rounded-sm text-left hover:bg-hover"
    >
      <time className="w-11 shrink-0 font-mono text-xs leading-5 text-run-ink">{clockTime(at * 1000)}</time>
      <span className="min-w-0 flex-1 wrap-anywhere">{text}</span>
    </button>
  )
}

function WrittenBy({
  summary: { written_by: writtenBy, model, fallback, made_at: madeAt },
}: {
  summary: RecordingSummary
}) {
  return (
    <p className="text-xs text-ink-3">
      {writtenBy === 'model'
        ? `Written by ${model ?? 'a language model'} from the facts above`
        : 'Generated from rules, without a language model'}
      , <RelativeTime time={madeAt} />. {fallback}
    </p>
  )
}
