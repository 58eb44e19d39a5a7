import { useQuery } from '@tanstack/react-query'
import { defaultParseSearch, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { allowsScope } from '../../contract/accounts/scopes.ts'
import { useAccount } from '../account.ts'
import { personsQuery } from '../queries/recordings/persons.ts'
import { recordingsOfQuery } from '../queries/recordings/recordings.ts'
import { recordingViewsQuery } from '../queries/recordings/recording-views.ts'
import { personIdOf, recordingName, type Visitor } from '../format/recording-name.ts'
import { usePreferences } from '../format/preferences.ts'
import { shortTime } from '../format/time.ts'
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
  const text = typed.slice(0, 200)
  const searches = mayRead && typed.length >= typedMin
  const { data } = useQuery({ ...recordingsOfQuery(projectId, text), enabled: searches })
  const found = useQuery({ ...personsQuery(projectId, text), enabled: searches })
  const visits = searches ? (data?.results ?? []) : []
  const named = searches ? (found.data?.results ?? []) : []
  // Visitors who were never identified are found by their visits.
  const persons = new Map<string, Visitor>([
    ...named.map(({ uuid, name, distinct_ids: [id = uuid] }) => {
      return [uuid, { person: { uuid, name }, distinct_id: id }] as const
    }),
    ...visits.map((visit) => [visit.person.uuid ?? visit.distinct_id, visit] as const),
  ])
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
    ...[...persons.values()].slice(0, visitsMax).map((visitor): Entry => ({
      id: `person ${personIdOf(visitor)}`,
      label: recordingName(visitor),
      hint: 'all recordings and events',
      group: 'Persons',
      found: true,
      run: () => void navigate({ to: '/persons/$id', params: { id: personIdOf(visitor) } }),
    })),
    ...visits.slice(0, visitsMax).map((visit): Entry => ({
      id: `recording ${visit.id}`,
      label: recordingName(visit),
      hint: shortTime(Date.parse(visit.start_time), zone, openedAt),
      group: 'Recordings',
      found: true,
      run: () => void navigate({ to: '/recordings/$id', params: { id: visit.id } }),
    })),
  ]
}
