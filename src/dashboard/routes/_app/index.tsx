import { useQuery } from '@tanstack/react-query'
import { createFileRoute, redirect } from '@tanstack/react-router'
import { useState } from 'react'
import { allowsScope, type Scope } from '../../../contract/accounts/scopes.ts'
import { useAccount } from '../../account.ts'
import { CaptureActivity } from '../../home/capture-activity.tsx'
import { Changes } from '../../home/changes.tsx'
import { ExportStrips } from '../../home/export-strips.tsx'
import { FirstSteps } from '../../home/first-steps.tsx'
import { healthSentence } from '../../home/health-sentence.ts'
import { RepairAll } from '../../home/repair-all.tsx'
import { RowsToday } from '../../home/rows-today.tsx'
import { RunningNow } from '../../home/running-now.tsx'
import { healthQuery } from '../../queries/exports/project-health.ts'
import { ListSkeleton } from '../../ui/list/list-notes.tsx'
import { ListProblem } from '../../ui/list/list-problem.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { notePageOpened } from '../../format/last-visit.ts'
import { usePreferences } from '../../format/preferences.ts'
import { briefTime } from '../../format/time.ts'

export const Route = createFileRoute('/_app/')({
  beforeLoad: ({ context: { apiKey } }) => {
    const allows = (scope: Scope) => allowsScope(apiKey.scopes, scope)
    // The home page is about exports; a key for recordings alone starts with these.
    if (!allows('batch_export:read') && allows('session_recording:read'))
      throw redirect({ to: '/recordings', replace: true })
  },
  component: HomePage,
})

function HomePage() {
  const { projectId } = useAccount()
  return <Home key={projectId} />
}

function Home() {
  const { projectId, apiKey } = useAccount()
  const { zone } = usePreferences()
  const [since] = useState(() => notePageOpened('home', `${projectId}.${apiKey.id}`))
  const { data, error, refetch } = useQuery(healthQuery(projectId, since))
  return (
    <>
      <PageHeader title="Home">
        {data && data.exports.total > 0 && <RepairAll windows={data.exports.to_repair} />}
      </PageHeader>
      {error && <ListProblem error={error} onRetry={() => void refetch()} />}
      {!data && !error && <ListSkeleton />}
      {data && (
        <output className="mt-2 block text-lg">
          {healthSentence(data, (time) => briefTime(time, zone, Date.parse(data.at)))}
        </output>
      )}
      {data && <FirstSteps health={data} />}
      {data && data.exports.total > 0 && (
        <div className="mt-5 grid gap-x-10 gap-y-6 lg:grid-cols-[minmax(0,1fr)_minmax(260px,340px)]">
          <ExportStrips health={data} />
          <div className="flex flex-col gap-6">
            <RowsToday rows={data.rows} at={data.at} />
            <Changes changes={data.changes ?? []} more={data.more_changes} since={since} />
            <RunningNow running={data.running} />
            <CaptureActivity capture={data.capture} />
          </div>
        </div>
      )}
    </>
  )
}
