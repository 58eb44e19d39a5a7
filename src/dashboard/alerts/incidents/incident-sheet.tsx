import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Incident } from '../../../contract/alerts/alert-incident.ts'
import { useAccount } from '../../account.ts'
import { deliveriesOfIncidentQuery, incidentQuery } from '../../queries/alerts.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Dialog } from '../../ui/controls/dialog.tsx'
import { ProblemNote } from '../../ui/feedback/problem-note.tsx'
import { reasonAgainst } from '../../ui/list/list-action.ts'
import { RelativeTime } from '../../ui/time.tsx'
import { keysOf } from '../../ui/page-actions.ts'
import { useKeys } from '../../ui/use-keys.ts'
import { kindNames, transitionNames } from '../../format/alert.ts'
import { counted } from '../../format/amount.ts'
import { DeliveryList } from '../delivery-list.tsx'
import { buttonsOf, incidentActions } from './incident-actions.ts'
import { IncidentStatus, IncidentTimes } from './incident-list.tsx'
import { useIncidentContext } from './mute-dialog.tsx'
import { Table, type Column } from '../../ui/list/data-table.tsx'

/** Shows one incident: its cause, exports, timeline and messages. */
export function IncidentSheet({ id, onClose }: { id: string; onClose: () => void }) {
  const { projectId } = useAccount()
  const { data: incident, error, refetch } = useQuery(incidentQuery(projectId, id))
  return (
    <Dialog title={incident?.title ?? 'Incident'} kind="sheet" onClose={onClose}>
      {error && <ProblemNote error={error} onRetry={() => void refetch()} />}
      {!incident && !error && <output className="appear-late text-ink-3">Loading…</output>}
      {incident && <Details incident={incident} onClose={onClose} />}
    </Dialog>
  )
}

function Details({ incident, onClose }: { incident: Incident; onClose: () => void }) {
  const { projectId } = useAccount()
  const deliveries = useQuery(deliveriesOfIncidentQuery(projectId, incident.id))
  const { kind, detail, title, destination, exports, export_count: total } = incident
  return (
    <>
      <p className="flex flex-wrap items-center gap-x-3">
        <IncidentStatus incident={incident} />
        <span className="text-ink-2">
          <IncidentTimes incident={incident} />
        </span>
      </p>
      <p className="text-ink-3 wrap-anywhere">
        {kindNames[kind]}
        {destination !== null && ' at '}
        {destination !== null && <code>{destination}</code>}
      </p>
      <SheetActions incident={incident} onClose={onClose} />
      {detail !== title && <p className="whitespace-pre-wrap wrap-anywhere">{detail}</p>}
      {total > 0 && (
        <>
          <Heading>Exports</Heading>
          <Table
            caption="Exports of this incident"
            columns={columns}
            rows={exports}
            rowKey={({ id }) => id}
          />
          {total > exports.length && (
            <p className="mt-1 text-ink-3">
              The first {exports.length} of {counted(total, 'export')}.
            </p>
          )}
        </>
      )}
      <Heading>Timeline</Heading>
      <Timeline incident={incident} />
      <Heading>Messages</Heading>
      <DeliveryList
        query={deliveries}
        empty="No channel was notified: there was none when the incident changed, or its rule names no channel."
      />
    </>
  )
}

function Heading({ children }: { children: string }) {
  return <h3 className="mt-4 mb-1 font-semibold">{children}</h3>
}

function SheetActions({ incident, onClose }: { incident: Incident; onClose: () => void }) {
  const { scopes } = useAccount()
  const { context, dialog } = useIncidentContext(onClose)
  const { fix } = incidentActions
  const actions = buttonsOf(incident).map((action) => ({
    label: action.label,
    key: action.keys[0] ?? '',
    reason: reasonAgainst(action, [incident], scopes),
    run: () => void action.perform([incident], context),
  }))
  useKeys({ ...keysOf(actions), f: { does: fix.keyLabel, run: () => context.fix(incident) } })
  return (
    <div className="my-3 flex flex-wrap gap-2">
      {incident.status === 'open' && (
        <Button look="primary" onClick={() => context.fix(incident)}>
          {fix.label}
        </Button>
      )}
      {actions.map(({ label, reason, run }) => (
        <Button key={label} reason={reason} onClick={run}>
          {label}
        </Button>
      ))}
      {dialog}
    </div>
  )
}

function Timeline({ incident: { transitions, acknowledged, muted } }: { incident: Incident }) {
  const events = transitions.map(({ transition, at }) => ({
    text: transitionNames[transition],
    before: '',
    at,
  }))
  if (acknowledged)
    events.push({ text: `Acknowledged by ${acknowledged.by}`, before: '', at: acknowledged.at })
  events.sort((one, other) => Date.parse(one.at) - Date.parse(other.at))
  if (muted) events.push({ text: `Muted by ${muted.by}`, before: 'until ', at: muted.until })
  return (
    <ol className="flex flex-col border-l border-line-strong pl-3">
      {events.map(({ text, before, at }) => (
        <li key={`${text} ${at}`} className="wrap-anywhere">
          {text}{' '}
          <span className="text-ink-3">
            {before}
            <RelativeTime time={at} />
          </span>
        </li>
      ))}
    </ol>
  )
}

/** The exports that an incident affects. */
const columns: readonly Column<Incident['exports'][number]>[] = [
  {
    header: 'Export',
    fills: true,
    cell: ({ id, name }) => (
      <Link to="/exports/$id" params={{ id }} className="wrap-anywhere hover:underline">
        {name}
      </Link>
    ),
  },
  { header: 'Since', cell: ({ since }) => <RelativeTime time={since} /> },
  {
    header: 'Recovered',
    cell: ({ until }) =>
      until === null ? <span className="text-ink-3">not yet</span> : <RelativeTime time={until} />,
  },
]
