import { Link } from '@tanstack/react-router'
import { sampleMax, type VisitsSummary } from '../../../contract/recordings/visits-summary.ts'
import { useChangeVisitsSummary } from '../../queries/recordings/visits-summary.ts'
import { Button } from '../../ui/controls/button.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { Progress } from '../../ui/feedback/progress.tsx'
import { copyText } from '../../ui/feedback/copy-text.ts'
import { toastFailure } from '../../ui/feedback/toasts.ts'
import { Icon } from '../../ui/icon.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import { count, counted } from '../../format/amount.ts'
import { VisitsSummaryView } from './visits-summary-view.tsx'

type PageProps = { projectId: string; summary: VisitsSummary }

/** One text about several visits; its progress while the service writes it. */
export function VisitsSummaryPage({ projectId, summary }: PageProps) {
  const { status, matched, result, by, created_at: createdAt } = summary
  return (
    <>
      <PageHeader
        title={`Summary of ${counted(matched, 'recording')}`}
        parent={
          <Link to="/recordings" className="hover:text-ink">
            Recordings
          </Link>
        }
      >
        <Actions projectId={projectId} summary={summary} />
      </PageHeader>
      <p className="mt-1 mb-4 text-ink-3">
        Requested by {by}, <RelativeTime time={createdAt} />
        {matched > sampleMax && `. Only a random sample of ${sampleMax} recordings is read`}.
      </p>
      {status === 'Running' && <Reading summary={summary} />}
      {status === 'Cancelled' && (
        <EmptyState title="This summary was cancelled">
          <p>
            To start another one, select recordings in the{' '}
            <Link to="/recordings" className="underline underline-offset-3">
              list of recordings
            </Link>
            .
          </p>
        </EmptyState>
      )}
      {result && <VisitsSummaryView result={result} />}
    </>
  )
}

function Reading({ summary: { done, total } }: { summary: VisitsSummary }) {
  return (
    <EmptyState title="Reading the recordings">
      <output className="flex items-center gap-3">
        <Progress share={total === 0 ? null : done / total} label="Recordings read" />
        {count(done)} of {count(total)} read
      </output>
      <p>The service continues if you leave this page.</p>
    </EmptyState>
  )
}

function Actions({ projectId, summary }: PageProps) {
  const { id, status, content, result, language_model: model } = summary
  const change = useChangeVisitsSummary(projectId, id)
  const perform = (name: 'cancel' | 'reword') =>
    change.mutate(name, { onError: toastFailure('The summary could not be changed.', () => perform(name)) })
  return (
    <>
      {status === 'Running' && (
        <Button busy={change.isPending} onClick={() => perform('cancel')}>
          Cancel
        </Button>
      )}
      {result && model !== null && (
        <Button busy={change.isPending} onClick={() => perform('reword')}>
          {change.isPending ? 'Rewriting…' : `Rewrite with ${model}`}
        </Button>
      )}
      {content !== null && (
        <Button look="primary" onClick={() => void copyText(content, 'Summary copied as Markdown.')}>
          <Icon name="copy" />
          Copy as Markdown
        </Button>
      )}
    </>
  )
}
