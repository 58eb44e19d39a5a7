import { useQuery } from '@tanstack/react-query'
import { defaultParseSearch, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { allowsScope } from '../../contract/scopes.ts'
import { visitName } from '../../contract/visit-name.ts'
import { useAccount } from '../account.ts'
import { recordingsOfQuery } from '../queries/recordings.ts'
import { recordingViewsQuery } from '../queries/recording-views.ts'
import { usePreferences } from '../words/preferences.ts'
import { shortTime } from '../words/time.ts'
import type { Entry } from './entries.ts'

/** Characters from which the service is asked for visits and persons. */
const typedMin = 2
const visitsMax = 6

/** Returns the saved views, and the visits and persons that the typed text finds on the service. */
export function useRecordingEntries(typed: string): Entry[] {
  const { projectId, scopes } = useAccount()
  const navigate = useNavigate()
  const { zone } = usePreferences()
  const [openedAt] = useState(Date.now)
  const mayRead = allowsScope(scopes, 'session_recording:read')
  const views = useQuery({ ...recordingViewsQuery(projectId), enabled: mayRead })
  const { data } = useQuery({
    ...recordingsOfQuery(projectId, typed.slice(0, 200)),
    enabled: mayRead && typed.length >= typedMin,
  })
  const visits = typed.length >= typedMin ? (data?.results ?? []) : []
  const persons = new Map(visits.map((visit) => [visit.person.uuid ?? visit.distinct_id, visit]))
  const name = (visit: (typeof visits)[number]) => visitName(visit.person.name, visit.distinct_id)
  return [
    ...(views.data?.results ?? []).map((view): Entry => ({
      id: `view ${view.id}`,
      label: view.name,
      group: 'Saved views',
      run: () =>
        void navigate({
          to: '/recordings',
          search: { ...defaultParseSearch(`?${view.query}`), view: view.id },
        }),
    })),
    ...[...persons.values()].slice(0, visitsMax).map((visit): Entry => ({
      id: `person ${visit.distinct_id}`,
      label: `Visits of ${name(visit)}`,
      group: 'Persons',
      found: true,
      run: () => void navigate({ to: '/recordings', search: { distinct_ids: [visit.distinct_id] } }),
    })),
    ...visits.slice(0, visitsMax).map((visit): Entry => ({
      id: `visit ${visit.id}`,
      label: name(visit),
      hint: shortTime(Date.parse(visit.start_time), zone, openedAt),
      group: 'Visits',
      found: true,
      run: () => void navigate({ to: '/recordings/$id', params: { id: visit.id } }),
    })),
  ]
}
