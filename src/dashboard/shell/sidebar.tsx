import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useLocation } from '@tanstack/react-router'
import { Fragment, use, useState, Suspense, useEffect } from 'react'
import type { ResponseOf } from '../../contract/endpoints.ts'
import { useAccount } from '../account.ts'
import { overviewQuery } from '../queries/exports/overview.ts'
import { Button } from '../ui/controls/button.tsx'
import { Icon, Logo } from '../ui/icon.tsx'
import { keyInWords } from '../ui/key-hint.tsx'
import { needsAttention } from '../format/export-state.ts'
import { OpenPalette } from './command-keys.tsx'
import { viewsId } from '../ui/views-id.ts'
import { settingsPages, sidebarPages, sidebarRouteAt, type RoutePath } from './pages.ts'
import { AccountMenu } from './account-menu.tsx'
import { SidebarMenu } from './sidebar-menu.tsx'
import { lazyNamed } from '../ui/lazy-named.ts'
import { bulkActionChanges, bulkActionsQuery, useBulkProjects } from '../queries/bulk-actions.ts'
import { invalidate } from '../queries/endpoint-query.ts'
import { counted } from '../format/amount.ts'

/** Main navigation: a column in a wide window, a bar with a menu in a narrow one. */
export function Sidebar() {
  const [open, setOpen] = useState(false)
  const close = () => setOpen(false)
  const find = use(OpenPalette)
  const current = useCurrent()
  return (
    <nav
      aria-label="Main"
      className="flex flex-col border-line bg-sunken print:hidden max-md:border-b md:sticky md:top-0 md:h-dvh md:border-r"
    >
      <div className="flex items-center gap-2 px-4 py-3 text-[14px] font-semibold tracking-tight">
        <Logo />
        Spool
        <span className="ml-auto flex items-center gap-1 md:hidden">
          <IncidentBadge />
          <Button look="quiet" size="icon" aria-label="Open the command palette" onClick={find}>
            <Icon name="search" />
          </Button>
          <Button
            look="quiet"
            size="icon"
            aria-label={open ? 'Close the menu' : 'Open the menu'}
            aria-expanded={open}
            onClick={() => setOpen(!open)}
          >
            <Icon name={open ? 'close' : 'menu'} />
          </Button>
        </span>
      </div>
      <div className={`min-h-0 flex-1 flex-col gap-3 px-2 pb-3 md:flex ${open ? 'flex' : 'hidden'}`}>
        <Place current={current} />
        <button
          type="button"
          onClick={find}
          className="field flex shrink-0 items-center gap-2 bg-transparent text-ink-3 hover:bg-hover max-md:hidden"
        >
          <Icon name="search" />
          Find
          <kbd className="ml-auto font-mono text-[11px]">{keyInWords('mod+k')}</kbd>
        </button>
        <div className="-mx-2 -my-1 flex scroll-py-1 flex-col gap-0.5 overflow-y-auto px-2 py-1">
          {sidebarPages.map((page) => (
            <Fragment key={page.to}>
              <PageLink page={page} isCurrent={page.to === current} onOpen={close} />
              {page.to === '/recordings' && <div id={viewsId} />}
            </Fragment>
          ))}
        </div>
        <div className="mt-auto flex flex-col gap-0.5 pt-2">
          <SettingsMenu current={current} onOpen={close} />
          <AccountMenu onOpen={close} />
        </div>
      </div>
      <BulkActions />
    </nav>
  )
}

type PageLinkProps = {
  page: (typeof sidebarPages)[number] | (typeof settingsPages)[number]
  isCurrent: boolean
  onOpen: () => void
}

function PageLink({ page: { to, label, icon }, isCurrent, onOpen }: PageLinkProps) {
  // A page with an icon starts a group.
  const place = icon ? 'px-2 not-first:mt-2' : 'pr-2 pl-8'
  return (
    <Link
      to={to}
      activeOptions={{ exact: true }}
      aria-current={isCurrent ? 'page' : undefined}
      onClick={onOpen}
      className={`flex items-center gap-2 rounded-md py-1.5 text-ink-2 hover:bg-hover aria-[current=page]:bg-hover aria-[current=page]:font-medium aria-[current=page]:text-ink ${place}`}
    >
      {icon && <Icon name={icon} />}
      {label}
      {to === '/exports' && <AttentionCount />}
      {to === '/settings/alerts' && <OpenIncidents />}
    </Link>
  )
}

/** Shows how many exports are failing or were paused automatically. */
function AttentionCount() {
  const amount = useOverview(({ results }) => results.filter(({ state }) => needsAttention(state)).length)
  return <SidebarCount amount={amount ?? 0} noun="export" state="failing or auto-paused" />
}

/** Returns a part of the project's overview, which all of the sidebar shares; undefined until it has been fetched. */
function useOverview<Part>(select: (overview: ResponseOf<'overviewOfBatchExports'>) => Part) {
  const { projectId } = useAccount()
  return useQuery({ ...overviewQuery({ projectId }), select }).data
}

const PlaceSwitchers = lazyNamed(() => import('./place-switchers.tsx'), 'PlaceSwitchers')

/** Names the organization and the project; both can be switched if the user has several. */
function Place({ current }: { current: RoutePath | undefined }) {
  const { projects, project, user } = useAccount()
  const { name } = user.organization
  const names = (
    <div className="flex flex-col gap-1 px-2">
      <span className="truncate text-xs text-ink-3" title={name}>
        {name}
      </span>
      <span className="line-clamp-2 font-medium wrap-anywhere" title={project.name}>
        {project.name}
      </span>
    </div>
  )
  if (projects.length < 2 && user.organizations.length < 2) return names
  return (
    <Suspense fallback={names}>
      <PlaceSwitchers current={current} />
    </Suspense>
  )
}

type SettingsMenuProps = { current: RoutePath | undefined; onOpen: () => void }

/** A menu at the foot: the pages of settings. */
function SettingsMenu({ current, onOpen }: SettingsMenuProps) {
  const label = (
    <>
      <Icon name="settings" />
      Settings
    </>
  )
  return (
    <SidebarMenu
      button={{
        'aria-current': settingsPages.some(({ to }) => to === current) ? 'true' : undefined,
        children: label,
      }}
      Content={SettingsPages}
      onOpen={onOpen}
      className="p-2"
    />
  )
}

function SettingsPages({ onDone }: { onDone: () => void }) {
  const current = useCurrent()
  return settingsPages.map((page) => (
    <PageLink key={page.to} page={page} isCurrent={page.to === current} onOpen={onDone} />
  ))
}

/** Returns the page of the sidebar to which the current one belongs. */
function useCurrent() {
  return useLocation({ select: ({ pathname }) => sidebarRouteAt(pathname) })
}

const IncidentNews = lazyNamed(() => import('../alerts/incident-news.tsx'), 'IncidentNews')

/** Shows the number of open incidents, and messages when one opens or recovers. */
function OpenIncidents() {
  const { projectId } = useAccount()
  const incidents = useOverview((overview) => overview.incidents)
  return incidents ? <Known key={projectId} projectId={projectId} {...incidents} /> : null
}

/** In a narrow window, leads from the bar to the open incidents. */
function IncidentBadge() {
  const open = useOverview(({ incidents }) => incidents.open)
  if (!open) return null
  return (
    <Link to="/settings/alerts" className="flex items-center gap-1 px-1.5 text-fail-ink">
      <Icon name="bell" />
      {open}
      <span className="sr-only"> open {open === 1 ? 'incident' : 'incidents'}</span>
    </Link>
  )
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

const BulkActionLines = lazyNamed(() => import('./bulk-action-lines.tsx'), 'BulkActionLines')

/** Shows the bulk actions of the service that are in progress or can be undone, on every page. */
function BulkActions() {
  const { projectId } = useAccount()
  const client = useQueryClient()
  useEffect(() => bulkActionChanges.listen(() => void invalidate(client, 'listBulkActions')), [client])
  return (
    <section aria-label="Bulk actions" className="max-h-[50dvh] overflow-y-auto empty:hidden">
      {useBulkProjects(projectId).map((id) => (
        <BulkActionsOf key={id} projectId={id} />
      ))}
    </section>
  )
}

function BulkActionsOf({ projectId }: { projectId: string }) {
  const { data } = useQuery(bulkActionsQuery(projectId))
  if (!data || data.results.length === 0) return null
  return (
    <Suspense>
      <BulkActionLines projectId={projectId} recent={data.results} />
    </Suspense>
  )
}

/** Shows how many objects behind a link need attention, unless none does. */
function SidebarCount({ amount, noun, state }: { amount: number; noun: string; state: string }) {
  if (amount === 0) return null
  return (
    <span className="ml-auto font-semibold text-fail-ink" title={`${counted(amount, noun)} ${state}`}>
      {amount}
      <span className="sr-only"> {state}</span>
    </span>
  )
}
