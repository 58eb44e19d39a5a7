import type { PersonErasureDetails } from '../../contract/privacy/person-erasure.ts'
import { usePreferences } from '../format/preferences.ts'
import { count, counted } from '../format/amount.ts'
import { exactTime } from '../format/time.ts'
import { Progress } from '../ui/feedback/progress.tsx'
import { Section } from '../ui/section.tsx'
import { Status } from '../ui/status.tsx'
import { TextLink } from '../ui/text-link.tsx'
import { ErasurePlaces } from './erasure-places.tsx'
import { stepLabels } from './erasure-status.tsx'

const countLabels = {
  distinct_ids: 'Distinct ids',
  events: 'Events',
  profile_rows: 'Versions of the profile',
  recordings: 'Recordings',
  shared_recordings: 'Recordings that also showed others',
  blocks: 'Blocks of recordings',
  assets: 'Files that only these recordings show',
  notes: 'Notes',
  summaries: 'Summaries',
  derived_rows: 'Rows derived from them',
} as const

/** The progress of an erasure and, once it has finished, its certificate. */
export function ErasureView({ erasure }: { erasure: PersonErasureDetails }) {
  return (
    <div className="flex flex-col gap-6">
      {erasure.step !== 'done' && <Steps erasure={erasure} />}
      <Facts erasure={erasure} />
      {erasure.counts && (
        <Section title={erasure.step === 'done' ? 'Removed' : 'Being removed'}>
          <dl className="grid max-w-160 grid-cols-[1fr_auto]">
            {Object.entries(countLabels).map(([name, label]) => (
              <div key={name} className="contents">
                <dt className="border-t border-line py-1">{label}</dt>
                <dd className="border-t border-line py-1 text-right tabular-nums">
                  {count(erasure.counts?.[name as keyof typeof countLabels] ?? 0)}
                </dd>
              </div>
            ))}
          </dl>
          {erasure.counts.kept_recordings > 0 && (
            <p className="mt-2 max-w-200">
              {counted(erasure.counts.kept_recordings, 'recording')} that began as another person’s{' '}
              {erasure.counts.kept_recordings === 1 ? 'was' : 'were'} kept on request, and may show this
              person.
            </p>
          )}
        </Section>
      )}
      {erasure.counts && <ErasurePlaces erasure={erasure} />}
      <Mentions erasure={erasure} />
    </div>
  )
}

function Steps({ erasure: { step, counts, recordings_done, problem } }: { erasure: PersonErasureDetails }) {
  const names = Object.keys(stepLabels) as (keyof typeof stepLabels)[]
  const current = names.findIndex((name) => name === step)
  return (
    <section aria-label="Progress" className="flex flex-col gap-2">
      <output className="flex items-center gap-3">
        <Progress share={current / names.length} label="Steps of the erasure" />
        {step !== 'done' && stepLabels[step]}
        {step === 'recordings' && counts && ` (${count(recordings_done)} of ${count(counts.recordings)})`}
      </output>
      {problem !== null && (
        <Status tone="stopped">
          <span className="whitespace-normal">The last attempt failed, and is repeated: {problem}</span>
        </Status>
      )}
      <p className="text-ink-3">The service continues if you leave this page.</p>
    </section>
  )
}

function Facts({ erasure }: { erasure: PersonErasureDetails }) {
  const { zone } = usePreferences()
  const at = (time: string | null) => (time === null ? 'not yet' : exactTime(Date.parse(time), zone))
  const { finished_at, rewritten_at } = erasure
  const facts = {
    Person: <code className="wrap-anywhere">{erasure.subject}</code>,
    'Requested by': erasure.by,
    Requested: at(erasure.created_at),
    'Erased what arrived until': at(erasure.erased_until),
    'Hidden from every query since': at(erasure.hidden_at),
    'In no file in use since':
      finished_at !== null && rewritten_at === null ? 'never: the rows are only hidden' : at(rewritten_at),
    'Replaced files deleted': at(erasure.purged_at),
  }
  return (
    <Section title="Erasure">
      <dl className="grid max-w-200 grid-cols-[auto_1fr] gap-x-6 gap-y-1 max-sm:grid-cols-1">
        {Object.entries(facts).map(([name, fact]) => (
          <div key={name} className="contents">
            <dt className="text-ink-3">{name}</dt>
            <dd className="min-w-0 max-sm:mb-1">{fact}</dd>
          </div>
        ))}
      </dl>
      <p className="mt-2 max-w-200 text-ink-3">
        The person is named by a keyed hash, which does not lead back to them. Backups of the databases and
        what ClickHouse and PostgreSQL log are not part of the erasure. Events that arrived later belong to a
        new person.
      </p>
    </Section>
  )
}

const mentionLinks = {
  saved_view: 'Saved view',
  collection: 'Collection',
  export: 'Query of the export',
} as const

/** What still names the person although it is not their data, and exports that could not be compared. */
function Mentions({ erasure: { mentions, unchecked_exports } }: { erasure: PersonErasureDetails }) {
  if (mentions.length + unchecked_exports.length === 0) return null
  return (
    <Section title="For you to decide">
      <ul className="flex flex-col gap-1">
        {mentions.map(({ kind, id, name }) => (
          <li key={`${kind} ${id}`}>
            {mentionLinks[kind]} “{name}” names a distinct id of the person: change or delete it.
          </li>
        ))}
        {unchecked_exports.map(({ id, name }) => (
          <li key={id}>
            <TextLink to="/exports/$id" params={{ id }}>
              {name}
            </TextLink>{' '}
            could not be compared, because its query fails: check what it exported.
          </li>
        ))}
      </ul>
    </Section>
  )
}
