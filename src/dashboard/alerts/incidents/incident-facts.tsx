import type { Incident } from '../../../contract/alerts/alert-incident.ts'
import { Elapsed, RelativeTime } from '../../ui/time.tsx'
import { Status } from '../../ui/status.tsx'
import { TextLink } from '../../ui/text-link.tsx'
import { useNow } from '../../ui/use-now.ts'
import { count } from '../../format/amount.ts'
import { incidentState } from '../../format/alert.ts'

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
export function AffectedExports({ incident: { exports, export_count: total }, onMore }: AffectedProps) {
  if (total === 0) return <span className="text-ink-3">–</span>
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

/** When an incident began, and when its last reminder was sent or how long it lasted. */
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
      Since <RelativeTime time={opened} /> · {reminded ? 'last reminder ' : 'no reminder yet'}
      {reminded && <RelativeTime time={reminded} />}
    </>
  )
}
