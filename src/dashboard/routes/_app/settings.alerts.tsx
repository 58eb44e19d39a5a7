import { createFileRoute } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { alertKinds } from '../../../contract/alerts/alert-rule.ts'
import { IncidentsView, shownStates } from '../../alerts/incidents/incidents-view.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { TabLink } from '../../ui/tab-link.tsx'
import { searchParams, text } from '../../format/search-params.ts'

const IncidentSheet = lazy(() =>
  import('../../alerts/incidents/incident-sheet.tsx').then((module) => ({ default: module.IncidentSheet })),
)
const RulesView = lazy(() =>
  import('../../alerts/rules/rules-view.tsx').then((module) => ({ default: module.RulesView })),
)
const ChannelsView = lazy(() =>
  import('../../alerts/channels/channels-view.tsx').then((module) => ({ default: module.ChannelsView })),
)

// Without a loader, whose queries would be part of the first load.
export const Route = createFileRoute('/_app/settings/alerts')({
  validateSearch: searchParams({
    view: text,
    state: text,
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
  const { view: wantedView, state: wanted, kind: wantedKind, incident, channel, delivery } = Route.useSearch()
  const navigate = Route.useNavigate()
  const [view] = views.find(([each]) => each === wantedView) ?? [undefined]
  const state = shownStates.find((each) => each === wanted) ?? 'all'
  const kind = alertKinds.find((each) => each === wantedKind)
  const show = (id: string | undefined) =>
    void navigate({ search: (now) => ({ ...now, incident: id }), resetScroll: false })
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
        {view === undefined && (
          <IncidentsView
            state={state}
            kind={kind}
            onFilter={(filter) =>
              void navigate({
                search: (now) => {
                  const next = { state, kind, ...filter }
                  return { ...now, kind: next.kind, state: next.state === 'all' ? undefined : next.state }
                },
                replace: true,
              })
            }
            onOpen={show}
            onChannels={() => void navigate({ search: { view: 'channels' } })}
          />
        )}
        {view === 'rules' && <RulesView />}
        {view === 'channels' && (
          <ChannelsView
            channel={channel}
            delivery={delivery}
            onOpen={(opened) =>
              void navigate({
                search: (now) => ({ ...now, channel: undefined, delivery: undefined, ...opened }),
                resetScroll: false,
              })
            }
          />
        )}
        {incident !== undefined && <IncidentSheet id={incident} onClose={() => show(undefined)} />}
      </Suspense>
    </>
  )
}
