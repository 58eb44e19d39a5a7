import { createFileRoute } from '@tanstack/react-router'
import { Suspense, useMemo } from 'react'
import { alertKinds } from '../../contract/alerts/alert-rule.ts'
import { PageHeader } from '../ui/page-header.tsx'
import { TabLink } from '../ui/tab-link.tsx'
import { oneOf, searchParams, text } from '../format/search-params.ts'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useAccount } from '../account.ts'
import { channelsQuery, openIncidentsQuery, recoveredIncidentsQuery } from '../queries/alerts.ts'
import { Button } from '../ui/controls/button.tsx'
import { EmptyState } from '../ui/feedback/empty-state.tsx'
import { Icon } from '../ui/icon.tsx'
import { ListNotes, ListSkeleton, NoMatches } from '../ui/list/list-notes.tsx'
import { SelectChip } from '../ui/controls/select-chip.tsx'
import { kindNames } from '../format/alert.ts'
import { count } from '../format/amount.ts'
import { browserChannel } from '../alerts/browser-channel.ts'
import { IncidentList } from '../alerts/incidents/incident-list.tsx'
import { lazyNamed } from '../ui/lazy-named.ts'

const IncidentSheet = lazyNamed(() => import('../alerts/incidents/incident-sheet.tsx'), 'IncidentSheet')
const RulesView = lazyNamed(() => import('../alerts/rules/rules-view.tsx'), 'RulesView')
const ChannelsView = lazyNamed(() => import('../alerts/channels/channels-view.tsx'), 'ChannelsView')

const states = ['open', 'recovered'] as const

// Without a loader, whose queries would be part of the first load.
export const Route = createFileRoute('/_app/settings/alerts')({
  validateSearch: searchParams({
    view: oneOf(['rules', 'channels']),
    state: oneOf(states),
    kind: text,
    incident: text,
    channel: text,
    delivery: text,
  }),
  component: AlertsPage,
})

const views = [
  [undefined, 'Incidents'],
  ['rules', 'Rules'],
  ['channels', 'Channels'],
] as const

function AlertsPage() {
  const { view, incident } = Route.useSearch()
  const show = useShowIncident()
  return (
    <>
      <PageHeader title="Alerts" />
      <nav aria-label="Views" className="mt-2 mb-3.5 flex gap-4.5 border-b border-line">
        {views.map(([each, label]) => (
          <TabLink
            key={label}
            to="/settings/alerts"
            search={each === undefined ? {} : { view: each }}
            activeOptions={{ exact: true }}
            aria-current={each === view ? 'page' : undefined}
          >
            {label}
          </TabLink>
        ))}
      </nav>
      <Suspense>
        {view === undefined && <IncidentsView />}
        {view === 'rules' && <RulesView />}
        {view === 'channels' && <ChannelsView />}
        {incident !== undefined && <IncidentSheet id={incident} onClose={() => show(undefined)} />}
      </Suspense>
    </>
  )
}

function useShowIncident() {
  const navigate = Route.useNavigate()
  return (id: string | undefined) =>
    void navigate({ search: (now) => ({ ...now, incident: id }), resetScroll: false })
}

/** The incidents of a project: open ones first, then those that have recovered. */
function IncidentsView() {
  const { state, kind: wantedKind } = Route.useSearch()
  const kind = alertKinds.find((each) => each === wantedKind)
  const navigate = Route.useNavigate()
  const show = useShowIncident()
  const filter = (chosen: { state?: typeof state; kind?: typeof kind }) =>
    void navigate({ search: (now) => ({ ...now, kind, ...chosen }), replace: true })
  const { projectId } = useAccount()
  const open = useQuery(openIncidentsQuery(projectId, { kind }))
  const recovered = useInfiniteQuery(recoveredIncidentsQuery(projectId, { kind }))
  const recoveredRows = useMemo(
    () => recovered.data?.pages.flatMap(({ results }) => results),
    [recovered.data],
  )
  const isLoaded = open.data !== undefined && recoveredRows !== undefined
  // The two lists are fetched separately, so an incident that recovers may be in both for a moment.
  const openRows = useMemo(() => {
    const recoveredIds = new Set(recoveredRows?.map(({ id }) => id))
    return open.data?.results.filter(({ id }) => !recoveredIds.has(id))
  }, [open.data, recoveredRows])
  const shownOpen = state === 'recovered' ? [] : (openRows ?? [])
  const shownRecovered = state === 'open' ? [] : (recoveredRows ?? [])
  const isFiltered = state !== undefined || kind !== undefined
  const more = recovered.hasNextPage && !recovered.isFetching && state !== 'open'
  return (
    <>
      <NoChannel />
      <div className="mb-2 flex flex-wrap items-center gap-2">
        <SelectChip
          label="State"
          value={state ?? 'all'}
          choices={(['all', ...states] as const).map((each) => [each, each] as const)}
          onChange={(chosen) => filter({ state: chosen === 'all' ? undefined : chosen })}
        />
        <SelectChip
          label="Kind"
          value={kind ?? 'all'}
          choices={[['all', 'all'], ...alertKinds.map((each) => [each, kindNames[each]] as const)]}
          onChange={(chosen) => filter({ kind: chosen === 'all' ? undefined : chosen })}
        />
        {isLoaded && (
          <output className="ml-auto text-ink-3">
            {count(open.data.count)} open, {count(recovered.data?.pages[0]?.count ?? 0)} recovered
          </output>
        )}
      </div>
      <ListNotes
        count={isLoaded ? shownOpen.length + shownRecovered.length : undefined}
        error={open.error ?? recovered.error}
        onRetry={() => void Promise.all([open.refetch(), recovered.refetch()])}
        loading={<ListSkeleton />}
        empty={
          <EmptyState title="No incidents">
            <p>
              Nothing has gone wrong yet. The rules are on: a failed, late or short export, a silent capture
              or a missing worker opens an incident here.
            </p>
          </EmptyState>
        }
        filteredEmpty={
          isFiltered ? (
            <NoMatches
              title="No incidents match"
              clear="Show all incidents"
              onClear={() => filter({ state: undefined, kind: undefined })}
            />
          ) : null
        }
      >
        <IncidentList
          open={shownOpen}
          recovered={shownRecovered}
          filterKey={`${state} ${kind}`}
          onOpen={({ id }) => show(id)}
          onMore={more ? () => void recovered.fetchNextPage() : undefined}
        />
      </ListNotes>
    </>
  )
}

/** Says whether nobody is notified of incidents. */
function NoChannel() {
  const navigate = Route.useNavigate()
  const { projectId } = useAccount()
  const { data } = useQuery(channelsQuery(projectId))
  if (!data || data.results.some(({ enabled }) => enabled) || browserChannel.isOn(projectId)) return null
  return (
    <section
      aria-label="No channel"
      className="mb-3 flex flex-wrap items-center gap-3 rounded-md border border-line-strong px-3 py-2"
    >
      <span className="text-short-ink">
        <Icon name="alert" />
      </span>
      <p className="min-w-56 flex-1">
        {data.results.length === 0
          ? 'Nobody is notified of incidents: this project has no channel.'
          : 'Nobody is notified of incidents: every channel is off.'}
      </p>
      <Button onClick={() => void navigate({ search: { view: 'channels' } })}>
        {data.results.length === 0 ? 'Add a channel' : 'Channels'}
      </Button>
    </section>
  )
}
