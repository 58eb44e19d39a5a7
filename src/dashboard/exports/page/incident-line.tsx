import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useAccount } from '../../account.ts'
import { openIncidentsQuery } from '../../queries/alerts.ts'
import { overviewQuery } from '../../queries/exports/overview.ts'
import { RelativeTime } from '../../ui/time.tsx'

/** Links to the open incidents that affect an export. */
export function IncidentLine({ exportId }: { exportId: string }) {
  const { projectId } = useAccount()
  const { data: isAny = false } = useQuery({
    ...overviewQuery({ projectId }),
    select: ({ incidents }) => incidents.open > 0,
  })
  const { data } = useQuery({
    ...openIncidentsQuery(projectId, { batch_export: exportId }),
    enabled: isAny,
  })
  if (!isAny) return null
  return data?.results.map(({ id, title, opened_at: opened, acknowledged }) => (
    <p key={id} className="mt-1 wrap-anywhere">
      <Link
        to="/settings/alerts"
        search={{ incident: id }}
        className="font-medium underline underline-offset-3"
      >
        Incident: {title}
      </Link>{' '}
      <span className="text-ink-3">
        since <RelativeTime time={opened} />
        {acknowledged && `, acknowledged by ${acknowledged.by}`}
      </span>
    </p>
  ))
}
