import { useNavigate } from '@tanstack/react-router'
import { createContext, use, type ComponentProps, useMemo } from 'react'
import type {
  MatchedMoment,
  SessionRecording,
  MatchedMoments,
} from '../../../contract/recordings/session-recording.ts'
import { useAccount } from '../../account.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { useWaiting } from '../../ui/feedback/send-action.ts'
import { reasonAgainst } from '../../ui/list/list-action.ts'
import type { RowPlace } from '../../ui/list/list-column.ts'
import { Menu } from '../../ui/controls/menu.tsx'
import { ShortTime } from '../../ui/time.tsx'
import { counted } from '../../format/amount.ts'
import { clockTime } from '../../format/clock.ts'
import { namedRecordings, recordingName } from '../../format/recording-name.ts'
import { Badges } from '../facts/badges.tsx'
import { ProblemLink } from '../facts/problem-links.tsx'
import { LinkToRecording, type InList } from '../facts/link-to-recording.tsx'
import { VisitorMark } from '../facts/visitor-mark.tsx'
import { type RecordingFacts, secondsBefore } from '../../../contract/recordings/recording-facts.ts'
import { problemCounts } from '../facts/facts-words.ts'
import { ThumbnailReplay } from '../thumbnail/thumbnail-replay.tsx'
import { recordingActions, type RecordingContext } from './actions.ts'
import { Path } from './path.tsx'
import { useQueries, type UseQueryResult } from '@tanstack/react-query'
import { endpointQuery } from '../../queries/endpoint-query.ts'
import { type RecordingFilter, withoutOrder } from '../../queries/recordings/recordings-search.ts'

/** The list's query string, without the question mark. */
export const ListAddress = createContext('')

/** Whether all recordings of the list are of one person; their times then serve as names. */
export const OfOnePerson = createContext(false)

export type CellProps = { row: SessionRecording; place: RowPlace<SessionRecording, RecordingContext> }

function useInList({ index }: CellProps['place']): InList {
  return { list: use(ListAddress) || undefined, row: index }
}

/** Why a recording matches the filter; nothing without a filter. */
export function useMoments({ id }: SessionRecording): readonly MatchedMoment[] {
  return use(MatchedContext).get(id) ?? []
}

type LinkProps = CellProps & Omit<ComponentProps<typeof LinkToRecording>, 'id' | 'place'>

/** A link from the list to the recording. */
function RowLink({ row, place, ...rest }: LinkProps) {
  return <LinkToRecording id={row.id} place={useInList(place)} {...rest} />
}

/** Seconds of playback before a moment. */
const leadSeconds = 3

/** Returns the second at which playback starts, shortly before the first moment; undefined without one. */
export function startBefore([first]: readonly MatchedMoment[] = []): number | undefined {
  return first?.at == null ? undefined : Math.max(0, Math.floor(first.at / 1000 - leadSeconds))
}

/** Says why the recording matches the filter, as a link to that moment if it is one. */
export function Matched(props: CellProps) {
  const moments = useMoments(props.row)
  const [first, ...others] = moments
  if (!first) return null
  const inWords = ({ at, label }: MatchedMoment) => (at === null ? label : `${label} at ${clockTime(at)}`)
  const words = `${inWords(first)}${others.length > 0 ? ` and ${others.length} more` : ''}`
  const title = moments.map(inWords).join('\n')
  const className = 'block truncate text-xs text-ink-2'
  if (first.at === null)
    return (
      <span title={title} className={className}>
        {words}
      </span>
    )
  return (
    <RowLink
      {...props}
      t={startBefore(moments)}
      title={title}
      className={`${className} underline decoration-line-strong underline-offset-3 hover:text-ink`}
    >
      {words}
    </RowLink>
  )
}

/** The recording's name, with a dot until it is watched, its mark and its badges. */
export function Name({ row, place }: CellProps) {
  const waiting = useWaiting(row.id)
  const ofOnePerson = use(OfOnePerson)
  return (
    <span className="flex min-w-0 items-center gap-1.5">
      <span className="w-1.5 shrink-0">
        {row.viewed === '' && (
          <span
            // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- an image that is drawn here has no file
            role="img"
            aria-label="Not watched yet"
            title="Not watched yet"
            className="block size-1.5 rounded-full bg-accent"
          />
        )}
      </span>
      {!ofOnePerson && <VisitorMark distinctId={row.distinct_id} />}
      <RowLink
        row={row}
        place={place}
        t={startBefore(useMoments(row))}
        title={row.distinct_id}
        className={`truncate hover:underline ${row.viewed === '' ? 'font-medium' : ''}`}
      >
        {ofOnePerson ? <ShortTime time={row.start_time} /> : recordingName(row)}
      </RowLink>
      {waiting === 'delete' && <span className="text-xs text-ink-3">about to be deleted</span>}
      <Badges recording={row} />
    </span>
  )
}

/** Why the recording matches the filter and its path, or only its path, on two lines. */
export function MatchedPath({ row, place }: CellProps) {
  if (useMoments(row).length === 0) return <Path row={row} />
  return (
    <>
      <Matched row={row} place={place} />
      <Path row={row} oneLine />
    </>
  )
}

type ProblemsProps = CellProps & {
  /** Number of problems shown as links; the others are in a menu. */
  shown: number
  /** A class that limits the number of lines of each. */
  lines: string
}

/** What went wrong in the recording, in order. */
export function Problems({ row, place, shown, lines }: ProblemsProps) {
  const inList = useInList(place)
  const { id, facts } = row
  if (!facts) {
    const counts = problemCounts(row)
    return counts && <span className="min-w-0 text-ink-2">{counts}</span>
  }
  if (facts.problems.length === 0) return null
  const others = facts.problems.slice(shown)
  return (
    <span className="flex min-w-0 items-center gap-1">
      <span className="flex min-w-0 flex-col">
        {facts.problems.slice(0, shown).map((problem) => (
          <ProblemLink key={`${problem.kind} ${problem.at}`} {...{ problem, id, lines }} place={inList} />
        ))}
      </span>
      {others.length > 0 && <OtherProblems row={row} place={place} others={others} />}
    </span>
  )
}

function OtherProblems({ row, place, others }: CellProps & { others: RecordingFacts['problems'] }) {
  const inList = useInList(place)
  const navigate = useNavigate()
  const items = others.map(({ label, at }) => {
    const search = { ...inList, t: secondsBefore(at) }
    const onSelect = () => void navigate({ to: '/recordings/$id', params: { id: row.id }, search })
    return { label: `${clockTime(at)} ${label}`, onSelect }
  })
  return (
    <Menu
      label={`${counted(items.length, 'more problem')} of ${recordingName(row)}`}
      items={items}
      look="quiet"
    >
      +{items.length}
    </Menu>
  )
}

/** A still replay of the most telling moment; opens the recording there. */
export function Thumbnail({ row, place, className }: CellProps & { className: string }) {
  const at = row.facts?.moment ?? Math.min(5_000, row.recording_duration * 500)
  const classes = `block rounded-sm border border-line ${className}`
  return (
    <RowLink row={row} place={place} t={secondsBefore(at)} className={classes}>
      <ThumbnailReplay recording={row} at={at} />
    </RowLink>
  )
}

type MainActionsProps = CellProps & Pick<ComponentProps<typeof Button>, 'size'>

/** Buttons for the main actions on a recording. */
export function MainActions({ row, place: { perform }, size = 'normal' }: MainActionsProps) {
  const { scopes } = useAccount()
  return (['share', 'summarize'] as const).map((name) => {
    const action = recordingActions[name]
    const reason = reasonAgainst<SessionRecording, RecordingContext>(action, [row], scopes)
    const [key] = action.keys
    return (
      <Button
        key={name}
        size={size}
        reason={reason}
        title={reason ? undefined : `${action.label} (${key})`}
        aria-label={`${action.label} ${namedRecordings([row])}`}
        onClick={() => perform(action, [row])}
      >
        {size === 'icon' ? <Icon name={name === 'share' ? 'share' : 'text'} /> : action.label}
      </Button>
    )
  })
}

/** Why the listed recordings match the filter, by their ids. */
type MatchedById = ReadonlyMap<string, readonly MatchedMoment[]>
export const MatchedContext = createContext<MatchedById>(new Map())

/** Recordings per request. */
const idsMax = 50

/** Parameters whose match the row itself shows. */
const shownByRow = [
  'order',
  'order_direction',
  'date_from',
  'date_to',
  'timezone',
  'distinct_ids',
  'session_ids',
  'collection',
]

/** Fetches why the rows match the filter, after the rows: they are listed without waiting for the moments. */
export function useMatched(filter: RecordingFilter, rows: readonly SessionRecording[]): MatchedById {
  const { projectId } = useAccount()
  const queries = useMemo(() => {
    if (Object.keys(filter).every((name) => shownByRow.includes(name))) return []
    const ids = rows.map(({ id }) => id)
    return Array.from({ length: Math.ceil(ids.length / idsMax) }, (_, page) => {
      const some = JSON.stringify(ids.slice(page * idsMax, (page + 1) * idsMax))
      const query = { ...withoutOrder(filter), session_ids: some }
      return {
        ...endpointQuery('matchedMoments', { params: { project_id: projectId }, query }),
        staleTime: Infinity,
      }
    })
  }, [projectId, filter, rows])
  return useQueries({ queries, combine: byRecording })
}

function byRecording(results: UseQueryResult<MatchedMoments>[]): MatchedById {
  return new Map(results.flatMap(({ data }) => Object.entries(data?.results ?? {})))
}
