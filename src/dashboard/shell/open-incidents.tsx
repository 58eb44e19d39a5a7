import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useAccount } from '../account.ts'
import { overviewQuery } from '../queries/exports/overview.ts'
import { SidebarCount } from './sidebar-count.tsx'

const IncidentNews = lazy(() =>
  import('../alerts/incident-news.tsx').then((module) => ({ default: module.IncidentNews })),
)

/** Shows the number of open incidents, and messages when one opens or recovers. */
export function OpenIncidents() {
  const { projectId } = useAccount()
  const { data } = useQuery({ ...overviewQuery({ projectId }), select: ({ incidents }) => incidents })
  return data ? <Known key={projectId} projectId={projectId} {...data} /> : null
}

type KnownProps = { projectId: string; open: number; changed_at: string | null }

function Known({ projectId, open, changed_at: changedAt }: KnownProps) {
  const [since] = useState(changedAt)
  // The messages are loaded when there are any, or when this browser shows notifications.
  const isNeeded = changedAt !== since || localStorage.getItem('spool.browser-alerts')
  return (
    <>
      <SidebarCount amount={open} noun="incident" state="open" />
      <Suspense>
        {isNeeded && <IncidentNews projectId={projectId} since={since} changedAt={changedAt} />}
      </Suspense>
    </>
  )
}
