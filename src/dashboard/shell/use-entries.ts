import { useQuery } from '@tanstack/react-query'
import { useMatch, useNavigate, useRouter, defaultParseSearch } from '@tanstack/react-router'
import type { ExportOverview } from '../../contract/exports/overview.ts'
import { useAccount } from '../account.ts'
import { useSignOut } from './use-sign-out.ts'
import { setPreferences, themes, usePreferences } from '../format/preferences.ts'
import { overviewQuery } from '../queries/exports/overview.ts'
import type { KeyNow } from '../ui/use-keys.ts'
import { shortInterval } from '../format/interval.ts'
import { isUtcHere, zoneName, shortTime } from '../format/time.ts'
import type { Entry } from './entries.ts'
import { accountPages, exportViews, settingsPages, sidebarPages } from './pages.ts'
import type { PaletteAction } from '../ui/list/palette-actions.ts'
import { useState } from 'react'
import { allowsScope } from '../../contract/accounts/scopes.ts'
import { personsQuery } from '../queries/recordings/persons.ts'
import { recordingsOfQuery } from '../queries/recordings/recordings.ts'
import { recordingViewsQuery } from '../queries/recordings/recording-views.ts'
import { personIdOf, recordingName, type Visitor } from '../format/recording-name.ts'

/** Returns all entries of the palette, with the recordings and persons that the typed text finds. `keys` and `actions` are those of the page when the palette was opened. */
export function useEntries(keys: readonly KeyNow[], actions: readonly PaletteAction[], typed: string) {
  const { projectId } = useAccount()
  const { data: overview } = useQuery(overviewQuery({ projectId }))
  const pages = usePages(overview?.results ?? [])
  const settings = useSettings()
  const recordings = useRecordingEntries(typed.trim())
  const keyEntries = keys
    .filter(({ moves, key }) => !moves && key !== 'Escape' && key !== 'mod+k')
    .map(({ does, reason, run, key, place }): Entry => {
      const group = place === 'page' ? 'On this page' : 'Go to'
      return { id: `key ${does}`, label: does, reason: reason ?? null, run, key, group }
    })
  const actionEntries = actions.map((action): Entry => ({ ...action, group: 'On this page' }))
  // Entries with a key come first: they are used most often.
  return [...keyEntries, ...actionEntries, ...pages, ...settings, ...recordings]
}

function usePages(exports: readonly ExportOverview[]): Entry[] {
  const navigate = useNavigate()
  const opened = useMatch({ from: '/_app/exports/$id', shouldThrow: false })?.params.id
  const { projects, project } = useAccount()
  const page = (label: string, run: () => void): Entry => {
    return { id: `page ${label}`, label, run, group: 'Go to' }
  }
  return [
    ...exports.map(({ id, name, interval, state }): Entry => ({
      id: `export ${id}`,
      label: name,
      hint: `${shortInterval(interval)} · ${state}`,
      group: 'Batch exports',
      run: () => void navigate({ to: '/exports/$id', params: { id } }),
    })),
    ...exportViews.flatMap(({ to, label }) =>
      opened === undefined
        ? []
        : page(`${label} of this export`, () => void navigate({ to, params: { id: opened } })),
    ),
    ...[...sidebarPages, ...settingsPages, ...accountPages].map((other) =>
      page('paletteLabel' in other ? other.paletteLabel : other.label, () => void navigate({ to: other.to })),
    ),
    ...(['rules', 'channels'] as const).map((view) =>
      page(`Alert ${view}`, () => void navigate({ to: '/settings/alerts', search: { view } })),
    ),
    ...projects.flatMap(({ id, name }) =>
      id === project.id
        ? []
        : page(`Project ${name}`, () => void navigate({ to: '/exports', search: { project: id } })),
    ),
  ]
}

function useSettings(): Entry[] {
  const { theme, zone, singleKeys } = usePreferences()
  const other = zone === 'utc' ? 'local' : 'utc'
  const router = useRouter()
  const signOut = useSignOut()
  const setting = (label: string, run: () => void, hint?: string): Entry => {
    return { id: `setting ${label}`, label, run, hint, group: 'Settings' }
  }
  const copyAddress = () => navigator.clipboard.writeText(location.origin + router.state.location.href)
  return [
    ...themes.map(([name, label]) =>
      setting(label, () => setPreferences({ theme: name }), name === theme ? 'current' : undefined),
    ),
    ...(isUtcHere() ? [] : [setting(`Times in ${zoneName(other)}`, () => setPreferences({ zone: other }))]),
    setting(`Turn ${singleKeys === 'on' ? 'off' : 'on'} single-key shortcuts`, () =>
      setPreferences({ singleKeys: singleKeys === 'on' ? 'off' : 'on' }),
    ),
    setting('Copy the address of this page', () => void copyAddress()),
    setting('Sign out', () => void signOut()),
  ]
}

/** Characters from which the service is asked for recordings and persons. */
const typedMin = 2
const recordingsMax = 6

/** Returns the saved views, and the recordings and persons that the typed text finds on the service. */
function useRecordingEntries(typed: string): Entry[] {
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
  const recordings = data?.results ?? []
  const named = found.data?.results ?? []
  // Visitors who were never identified are found by their recordings.
  const persons = new Map<string, Visitor>([
    ...named.map(
      ({ uuid, name, distinct_ids: [id = uuid] }) =>
        [uuid, { person: { uuid, name }, distinct_id: id }] as const,
    ),
    ...recordings.map((recording) => [recording.person.uuid ?? recording.distinct_id, recording] as const),
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
    ...[...persons.values()].slice(0, recordingsMax).map((visitor): Entry => ({
      id: `person ${personIdOf(visitor)}`,
      label: recordingName(visitor),
      hint: 'all recordings and events',
      group: 'Persons',
      found: true,
      run: () => void navigate({ to: '/persons/$id', params: { id: personIdOf(visitor) } }),
    })),
    ...recordings.slice(0, recordingsMax).map((recording): Entry => ({
      id: `recording ${recording.id}`,
      label: recordingName(recording),
      hint: shortTime(Date.parse(recording.start_time), zone, openedAt),
      group: 'Recordings',
      found: true,
      run: () => void navigate({ to: '/recordings/$id', params: { id: recording.id } }),
    })),
  ]
}
