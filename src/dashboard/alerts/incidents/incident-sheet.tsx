import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { Incident } from '../../../contract/alerts/alert-incident.ts'
import { useAccount } from '../../account.ts'
import { deliveriesOfIncidentQuery, incidentQuery } from '../../queries/alerts.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Dialog } from '../../ui/controls/dialog.tsx'
import { ProblemNote } from '../../ui/feedback/problem-note.tsx'
import { possibleFor } from '../../ui/list/list-action.ts'
import { RelativeTime } from '../../ui/time.tsx'
import { useKeys } from '../../ui/use-keys.ts'
import { kindNames, transitionName } from '../../format/alert.ts'
import { counted } from '../../format/amount.ts'
import { DeliveryList } from '../delivery-list.tsx'
import { incidentActions } from './incident-actions.ts'
import { IncidentStatus, IncidentTimes } from './incident-facts.tsx'
import { MuteDialog } from './mute-dialog.tsx'
import { DataTable, type Column } from '../../ui/list/data-table.tsx'

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
        {destination !== null && (
          <>
            {' at '}
            <code>{destination}</code>
          </>
        )}
      </p>
      <SheetActions incident={incident} onClose={onClose} />
      {detail !== title && <p className="whitespace-pre-wrap wrap-anywhere">{detail}</p>}
      {total > 0 && (
        <>
          <Heading>Exports</Heading>
          <AffectedTable exports={exports} />
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
        deliveries={deliveries.data?.results}
        error={deliveries.error}
        onRetry={() => void deliveries.refetch()}
        empty="No channel was notified: there was none when the incident changed, or its rule names no channel."
      />
    </>
  )
}

function Heading({ children }: { children: string }) {
  return <h3 className="mt-4 mb-1 font-semibold">{children}</h3>
}

function SheetActions({ incident, onClose }: { incident: Incident; onClose: () => void }) {
  const { projectId, scopes } = useAccount()
  const navigate = useNavigate()
  const [muting, setMuting] = useState(false)
  const context = {
    client: useQueryClient(),
    projectId,
    open: onClose,
    fix: ({ url }: Incident) => void navigate({ href: url }),
    mute: () => setMuting(true),
  }
  const { fix, acknowledge, unacknowledge, mute } = incidentActions
  const actions = [...[acknowledge, unacknowledge].filter(({ inMenu }) => inMenu(incident)), mute].map(
    (action) => ({
      label: action.label,
      key: action.keys[0] ?? '',
      reason: possibleFor(action, [incident], scopes).reason,
      run: () => void action.perform([incident], context),
    }),
  )
  const bindings = actions.map(({ key, label, reason, run }) => [key, { does: label, reason, run }] as const)
  useKeys({ ...Object.fromEntries(bindings), f: { does: fix.keyLabel, run: () => context.fix(incident) } })
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
      {muting && <MuteDialog incidents={[incident]} onClose={() => setMuting(false)} />}
    </div>
  )
}

function Timeline({ incident: { transitions, acknowledged, muted } }: { incident: Incident }) {
  const events = transitions.map(({ transition, at }) => ({ text: transitionName(transition), at }))
  if (acknowledged) events.push({ text: `Acknowledged by ${acknowledged.by}`, at: acknowledged.at })
  events.sort((one, other) => Date.parse(one.at) - Date.parse(other.at))
  return (
    <ol className="flex flex-col border-l border-line-strong pl-3">
      {events.map(({ text, at }) => (
        <li key={`${text} ${at}`} className="wrap-anywhere">
          {text}{' '}
          <span className="text-ink-3">
            <RelativeTime time={at} />
          </span>
        </li>
      ))}
      {muted && (
        <li className="wrap-anywhere">
          Muted by {muted.by}{' '}
          <span className="text-ink-3">
            until <RelativeTime time={muted.until} />
          </span>
        </li>
      )}
    </ol>
  )
}

type Affected = Incident['exports'][number]

/** The exports that an incident affects. */
function AffectedTable({ exports }: { exports: readonly Affected[] }) {
  return (
    <DataTable
      caption="Exports of this incident"
      columns={columns}
      rows={exports}
      rowKey={({ id }) => id}
      error={null}
      onRetry={() => undefined}
      empty={null}
    />
  )
}

const columns: Column<Affected>[] = [
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
