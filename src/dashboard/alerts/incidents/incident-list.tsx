import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Incident } from '../../../contract/alerts/alert-incident.ts'
import { useAccount } from '../../account.ts'
import { Button } from '../../ui/controls/button.tsx'
import { KeyHint } from '../../ui/key-hint.tsx'
import { reasonAgainst, type Perform } from '../../ui/list/list-action.ts'
import { actionsColumn, type ListColumn } from '../../ui/list/list-column.ts'
import type { Line } from '../../ui/list/list-table.tsx'
import { ListView } from '../../ui/list/list-view.tsx'
import { useList, type ListDescription } from '../../ui/list/use-list.ts'
import { useListKeys } from '../../ui/list/use-list-keys.ts'
import { Elapsed, RelativeTime } from '../../ui/time.tsx'
import { Status } from '../../ui/status.tsx'
import { TextLink } from '../../ui/text-link.tsx'
import { useNow } from '../../ui/use-now.ts'
import { count } from '../../format/amount.ts'
import { incidentState, kindNames } from '../../format/alert.ts'
import { firstFailure } from '../../format/export-state.ts'
import { overviewQuery } from '../../queries/exports/overview.ts'
import { buttonsOf, incidentActions, namedIncidents, type IncidentContext } from './incident-actions.ts'
import { useIncidentContext } from './mute-dialog.tsx'

type IncidentListProps = {
  open: readonly Incident[]
  recovered: readonly Incident[]
  /** Identifies the filters. */
  filterKey: string
  onOpen: (incident: Incident) => void
  /** Fetches more recovered incidents; omitted if there are no more. */
  onMore?: (() => void) | undefined
}

/** Shows open incidents, then those that have recovered, with keys to work through them. */
export function IncidentList({ open, recovered, filterKey, onOpen, onMore }: IncidentListProps) {
  const { scopes } = useAccount()
  const { context, dialog } = useIncidentContext(onOpen)
  const rows = useMemo(() => [...open, ...recovered], [open, recovered])
  const list = useList({ description: incidentList, context, scopes, rows, filterKey })
  useListKeys(list)
  const lines = useMemo(() => [...group('Open', open), ...group('Recovered', recovered)], [open, recovered])
  return (
    <>
      <ListView list={list} lines={lines} onMore={onMore} />
      {dialog}
    </>
  )
}

function group(title: string, rows: readonly Incident[]): Line<Incident>[] {
  if (rows.length === 0) return []
  return [
    { kind: 'group', key: title, title, rows },
    ...rows.map((row) => ({ kind: 'row' as const, key: row.id, row })),
  ]
}

const columns: readonly ListColumn<Incident, IncidentContext, never>[] = [
  {
    header: 'Incident',
    className: '',
    cellClassName: 'w-full py-2.5',
    cell: (incident, { perform }) => <What incident={incident} perform={perform} />,
  },
  {
    header: 'State',
    className: '@max-[860px]:hidden',
    cellClassName: 'min-w-44 py-2.5 align-top',
    cell: (incident) => <State incident={incident} />,
  },
  { ...actionsColumn, className: '', cellClassName: 'py-2 align-top', cell: (_, { menu }) => menu },
]

const incidentList: ListDescription<Incident, IncidentContext> = {
  caption: 'Incidents',
  noun: 'incident',
  named: namedIncidents,
  actions: incidentActions,
  paletteId: 'incidents',
  columns,
  rowHeight: 56,
  renderAllMax: 1000,
  fitsContent: true,
}

function State({ incident }: { incident: Incident }) {
  return (
    <>
      <IncidentStatus incident={incident} />
      <span className="block text-xs text-ink-3">
        <IncidentTimes incident={incident} />
      </span>
    </>
  )
}

type WhatProps = { incident: Incident; perform: Perform<Incident, IncidentContext> }

/** What is wrong, where, with which exports, and the buttons of an open incident. */
function What({ incident, perform }: WhatProps) {
  const { title, detail, kind, destination, status } = incident
  const open = () => perform(incidentActions.open, [incident])
  return (
    <div className="flex min-w-56 flex-col gap-1">
      <button
        type="button"
        onClick={open}
        aria-label={`Show ${title}`}
        className="text-left font-medium wrap-anywhere hover:underline"
      >
        {title}
      </button>
      {detail !== title && <p className="text-ink-2 wrap-anywhere">{detail}</p>}
      <p className="text-xs text-ink-3 wrap-anywhere">
        {kindNames[kind]}
        {destination !== null && ' · '}
        {destination !== null && <code>{destination}</code>}
        {incident.export_count > 0 && ' · '}
        {incident.export_count > 0 && <AffectedExports incident={incident} onMore={open} />}
      </p>
      <div className="hidden text-xs @max-[860px]:block">
        <State incident={incident} />
      </div>
      {status === 'open' && <Buttons incident={incident} perform={perform} />}
    </div>
  )
}

function Buttons({ incident, perform }: WhatProps) {
  const { scopes } = useAccount()
  const { fix } = incidentActions
  return (
    <div className="mt-0.5 flex flex-wrap gap-2">
      <Button look="primary" onClick={() => perform(fix, [incident])}>
        {fix.label} <KeyHint of="f" />
      </Button>
      {buttonsOf(incident).map((action) => (
        <Button
          key={action.label}
          reason={reasonAgainst(action, [incident], scopes)}
          onClick={() => perform(action, [incident])}
        >
          {action.label} <KeyHint of={action.keys[0] ?? ''} />
        </Button>
      ))}
    </div>
  )
}

const namedMax = 3

/** The state of an incident: open, acknowledged, muted or recovered. */
export function IncidentStatus({ incident }: { incident: Incident }) {
  const text = useNow((now) => incidentState(incident, now).text)
  const tone = useNow((now) => incidentState(incident, now).tone)
  return (
    <Status tone={tone}>
      <span className="whitespace-normal wrap-anywhere">{text}</span>
    </Status>
  )
}

type AffectedProps = { incident: Incident; onMore: () => void }

/** The first exports that an incident affects, with links; the others are in its sheet. */
function AffectedExports({ incident: { exports, export_count: total }, onMore }: AffectedProps) {
  const shown = exports.slice(0, namedMax)
  return (
    <span className="wrap-anywhere">
      {shown.map(({ id, name }, index) => (
        <span key={id}>
          {index > 0 && ', '}
          <TextLink to="/exports/$id" params={{ id }}>
            {name}
          </TextLink>
        </span>
      ))}
      {total > shown.length && (
        <>
          {' '}
          <button type="button" onClick={onMore} className="text-ink-2 underline underline-offset-3">
            {`and ${count(total - shown.length)} more`}
          </button>
        </>
      )}
    </span>
  )
}

/** When an incident was noticed, since when its exports fail, and when its last reminder was sent or how long it lasted. */
export function IncidentTimes({ incident }: { incident: Incident }) {
  const { opened_at: opened, recovered_at: recovered, transitions } = incident
  const reminded = transitions.findLast(({ transition }) => transition === 'reminded')?.at
  if (recovered !== null)
    return (
      <>
        Recovered <RelativeTime time={recovered} /> after <Elapsed from={opened} until={recovered} />
      </>
    )
  return (
    <>
      <FailingFor incident={incident} /> <RelativeTime time={opened} /> ·{' '}
      {reminded ? 'last reminder ' : 'no reminder yet'}
      {reminded && <RelativeTime time={reminded} />}
    </>
  )
}

/** Says how long the incident's exports have failed, which can be longer than the incident is open. */
function FailingFor({ incident: { kind, exports } }: { incident: Incident }) {
  const { projectId } = useAccount()
  const ids = new Set(kind === 'failed' ? exports.map(({ id }) => id) : [])
  const { data: since = null } = useQuery({
    ...overviewQuery({ projectId }),
    select: ({ results }) => firstFailure(results.filter(({ id }) => ids.has(id))),
  })
  if (since === null) return 'Noticed'
  return (
    <>
      Failing for <Elapsed from={new Date(since).toISOString()} until={null} />; noticed
    </>
  )
}
