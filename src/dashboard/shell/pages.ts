import type { RegisteredRouter } from '@tanstack/react-router'
import type { Scope } from '../../contract/accounts/scopes.ts'
import type { IconName } from '../ui/icon.tsx'

/*
 * The registry of pages: sidebar, export tabs, palette, keys and screenshots are built from it. Each page is one line in the
 * list that fits it; `sample` is the object whose id the screenshots put in place of the route's parameter.
 */

/** Path of a route, as used in links. */
export type RoutePath = RegisteredRouter['routeTree']['types']['fileRouteTypes']['to']
type RouteWithParam = Extract<RoutePath, `${string}$${string}`>
type RouteWithoutParam = Exclude<RoutePath, RouteWithParam>

/** Pages outside the router: shared.html, for anyone with a link. */
type SharedPath = '/shared/$token' | '/embedded/$token'
export type PagePath = RoutePath | SharedPath

/** Objects in the sample data, found by e2e/screenshots.ts. */
export type Sample =
  | 'healthy export'
  | 'export with gaps'
  | 'failing export'
  | 'failed run'
  | 'recording'
  | 'group summary'
  | 'collection'
  | 'person'
  | 'erasure'
  | 'link'

/**
 * `icon`: null for a page that belongs to the one before it. `paletteLabel`: label that is clear outside the sidebar.
 * `extraPrefix`: prefix of other paths belonging to the page.
 */
type SidebarPage = {
  to: RouteWithoutParam
  label: string
  icon: IconName | null
  paletteLabel?: string
  extraPrefix?: `/${string}`
}

/** Pages of the sidebar and the palette, in this order. A page comes after the page whose path is its prefix. */
export const sidebarPages = [
  { to: '/', label: 'Home', icon: 'home' },
  { to: '/exports', label: 'Batch exports', icon: 'exports', extraPrefix: '/runs' },
  {
    to: '/problems',
    label: 'Problems',
    icon: null,
    paletteLabel: 'Problems of exports',
    extraPrefix: '/repair',
  },
  { to: '/settings/history', label: 'History', icon: null, paletteLabel: 'History of exports' },
  { to: '/recordings', label: 'Recordings', icon: 'play', extraPrefix: '/persons' },
  { to: '/recordings/errors', label: 'Errors', icon: null, paletteLabel: 'Errors in recordings' },
  { to: '/recordings/collections', label: 'Collections', icon: null },
  { to: '/settings/alerts', label: 'Alerts', icon: 'bell' },
] as const satisfies readonly SidebarPage[]

/** Pages of the menu at the sidebar's foot, also in the palette. */
export const settingsPages = [
  { to: '/settings/recordings', label: 'Recording settings', icon: 'settings' },
  { to: '/settings/privacy', label: 'Privacy', icon: 'settings' },
  { to: '/settings/connections', label: 'Connections', icon: 'exports' },
  { to: '/settings/members', label: 'Members', icon: 'people' },
  { to: '/settings/keys', label: 'API keys', icon: 'key' },
  { to: '/settings/sign-in', label: 'Sign-in', icon: 'leave' },
  { to: '/settings/audit', label: 'Audit log', icon: 'text' },
] as const satisfies readonly SidebarPage[]

/** Pages of the account menu, also in the palette. */
export const accountPages = [
  { to: '/settings/account', label: 'Your account', icon: null },
] as const satisfies readonly SidebarPage[]

/** Pages opened from anywhere by a key, if the scope allows; the palette lists the key with all others. */
export const keyPages = [
  { to: '/exports/new', label: 'New export', key: 'n', scope: 'batch_export:write' },
] as const satisfies readonly { to: RouteWithoutParam; label: string; key: string; scope: Scope }[]

/** The tabs of an export, listed in the palette while an export is open. */
export const exportViews = [
  { to: '/exports/$id', label: 'Runs', sample: 'export with gaps' },
  { to: '/exports/$id/backfills', label: 'Backfills', sample: 'healthy export' },
  { to: '/exports/$id/ledger', label: 'Ledger', sample: 'healthy export' },
  { to: '/exports/$id/logs', label: 'Logs', sample: 'healthy export' },
  { to: '/exports/$id/settings', label: 'Settings', sample: 'healthy export' },
] as const satisfies readonly { to: RouteWithParam; label: string; sample: Sample }[]

/** Pages reached from other pages or by a link. */
const otherPages = [
  { to: '/repair' },
  { to: '/exports/failures' },
  { to: '/exports/$id/edit', sample: 'healthy export' },
  { to: '/runs/$runId', sample: 'failed run' },
  { to: '/recordings/$id', sample: 'recording' },
  { to: '/recordings/summaries/$id', sample: 'group summary' },
  { to: '/recordings/collections/$id', sample: 'collection' },
  { to: '/persons/$id', sample: 'person' },
  { to: '/erasures/$id', sample: 'erasure' },
  { to: '/shared/$token', sample: 'link' },
  { to: '/embedded/$token', sample: 'link' },
  { to: '/login' },
  { to: '/join' },
  { to: '/password' },
  { to: '/confirm-email' },
  { to: '/welcome' },
] as const satisfies readonly (
  | { to: RouteWithoutParam }
  | { to: RouteWithParam | SharedPath; sample: Sample }
)[]

/** Returns every page. A function, so that the browser does not load pages that only tests and screenshots use. */
export function allPages() {
  return [...sidebarPages, ...settingsPages, ...accountPages, ...keyPages, ...exportViews, ...otherPages]
}

/** Returns the route of the page, of the sidebar or its menu, to which the page at a path belongs. */
export function sidebarRouteAt(pathname: string): RoutePath | undefined {
  const isAtOrBelow = (prefix: string) => `${pathname}/`.startsWith(`${prefix}/`)
  return [...sidebarPages, ...settingsPages].findLast(
    (page) => isAtOrBelow(page.to) || ('extraPrefix' in page && isAtOrBelow(page.extraPrefix)),
  )?.to
}
