import { useQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { groupSummaryQuery, useChangeGroupSummary } from '../../queries/recordings/group-summary.ts'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { ParentLink, TextLink } from '../../ui/text-link.tsx'
import { LoadedPage } from '../../ui/list/list-notes.tsx'
import {
  sampleMax,
  type GroupSummary,
  sectionTitles,
  type SummarySection,
  type GroupSummaryResult,
} from '../../../contract/recordings/group-summary.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Progress } from '../../ui/feedback/progress.tsx'
import { copyText, toastFailure } from '../../ui/feedback/toasts.ts'
import { Icon } from '../../ui/icon.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import { count, counted } from '../../format/amount.ts'
import { MomentLink } from '../../recordings/facts/moment-link.tsx'
import { PersonLink } from '../../recordings/facts/person-link.tsx'
import { clockTime } from '../../format/clock.ts'

// Without a loader, whose queries would be part of the first load.
export const Route = createFileRoute('/_app/recordings/summaries/$id')({ component: SummaryPage })

function SummaryPage() {
  const { id } = Route.useParams()
  const { projectId } = Route.useRouteContext()
  return (
    <LoadedPage
      query={useQuery(groupSummaryQuery(projectId, id))}
      title="Summary"
      missing="It is older than 30 days, or belongs to another project."
      parent={<TextLink to="/recordings">Recordings</TextLink>}
    >
      {(summary) => <GroupSummaryPage summary={summary} />}
    </LoadedPage>
  )
}

/** One text about several recordings; its progress while the service writes it. */
function GroupSummaryPage({ summary }: { summary: GroupSummary }) {
  const { status, matched, done, total, result, by, created_at: createdAt } = summary
  return (
    <>
      <PageHeader
        title={`Summary of ${counted(matched, 'recording')}`}
        parent={<ParentLink to="/recordings">Recordings</ParentLink>}
      >
        <Actions summary={summary} />
      </PageHeader>
      <p className="mt-1 mb-4 text-ink-3">
        Requested by {by}, <RelativeTime time={createdAt} />
        {matched > sampleMax && `. Only a random sample of ${sampleMax} recordings is read`}.
      </p>
      {status === 'Running' && (
        <EmptyState title="Reading the recordings">
          <output className="flex items-center gap-3">
            <Progress share={total === 0 ? null : done / total} label="Recordings read" />
            {count(done)} of {count(total)} read
          </output>
          <p>The service continues if you leave this page.</p>
        </EmptyState>
      )}
      {status === 'Cancelled' && (
        <EmptyState title="This summary was cancelled">
          <p>
            To start another one, select recordings in the{' '}
            <TextLink to="/recordings">list of recordings</TextLink>.
          </p>
        </EmptyState>
      )}
      {result && <GroupSummaryView result={result} />}
    </>
  )
}

function Actions({ summary }: { summary: GroupSummary }) {
  const { projectId } = Route.useRouteContext()
  const { id, status, content, result, language_model: model } = summary
  const { mutate, isPending } = useChangeGroupSummary(projectId, id)
  const perform = (name: 'cancel' | 'reword') =>
    mutate(name, { onError: toastFailure('The summary could not be changed.', () => perform(name)) })
  return (
    <>
      {status === 'Running' && (
        <Button busy={isPending} onClick={() => perform('cancel')}>
          Cancel
        </Button>
      )}
      {result && model !== null && (
        <Button busy={isPending} onClick={() => perform('reword')}>
          {isPending ? 'Rewriting…' : `Rewrite with ${model}`}
        </Button>
      )}
      {content !== null && (
        <Button look="primary" onClick={() => void copyText(content, 'Summary copied as Markdown.')}>
          <Icon name="copy" /> Copy as Markdown
        </Button>
      )}
    </>
  )
}

/** The text about several recordings; each example opens its recording three seconds before the moment. */
function GroupSummaryView({ result }: { result: GroupSummaryResult }) {
  const { overview, outcomes, sections, wording } = result
  return (
    <div className="flex max-w-300 flex-col gap-6">
      <div className="flex flex-col gap-3">
        <p className="max-w-160 text-lg">{overview}</p>
        <OutcomeBar outcomes={outcomes} />
        {wording && (
          <p className="max-w-160 whitespace-pre-line">
            {wording.text} <span className="text-xs text-ink-3">Written by {wording.model}.</span>
          </p>
        )}
      </div>
      <div className="-mb-6 gap-10 lg:columns-2">
        {sections.map((section) => (
          <Section key={section.name} section={section} />
        ))}
      </div>
    </div>
  )
}

const colors = { completed: 'bg-ok', left: 'bg-line-strong', error: 'bg-fail' }
const kinds = ['completed', 'left', 'error'] as const

/** Shows the share of each outcome; the overview says the same in words. */
function OutcomeBar({ outcomes }: { outcomes: GroupSummaryResult['outcomes'] }) {
  return (
    <div aria-hidden className="flex h-2 max-w-160 gap-0.5 overflow-hidden rounded-sm">
      {kinds
        .filter((kind) => outcomes[kind] > 0)
        .map((kind) => (
          <span key={kind} className={colors[kind]} style={{ flexGrow: outcomes[kind] }} />
        ))}
    </div>
  )
}

function Section({ section: { name, lines } }: { section: SummarySection }) {
  const title = sectionTitles[name]
  const itemClass = 'flex flex-wrap items-baseline justify-between gap-x-4 border-t border-line py-1.5'
  return (
    <section aria-label={title} className="mb-6 break-inside-avoid">
      <h2 className="mb-1 text-sm font-semibold">{title}</h2>
      <ul>
        {lines.map(({ text, example }) => (
          <li key={text} className={itemClass}>
            <span className="min-w-0 flex-1 basis-60 wrap-anywhere">{text}</span>
            {example && <Example {...example} />}
          </li>
        ))}
      </ul>
    </section>
  )
}

type ExampleProps = NonNullable<SummarySection['lines'][number]['example']>

function Example({ recording, name, distinct_id: distinctId, at }: ExampleProps) {
  return (
    <span className="flex items-baseline gap-3">
      <MomentLink id={recording} at={at} className="text-run-ink underline-offset-3 hover:underline">
        <span className="sr-only">Example: </span>
        {name} <span className="font-mono text-xs">{clockTime(at)}</span>
      </MomentLink>
      {distinctId !== undefined && <PersonLink id={distinctId} name={name} />}
    </span>
  )
}
