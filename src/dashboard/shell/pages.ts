import type { RegisteredRouter } from '@tanstack/react-router'
import type { Scope } from '../../contract/scopes.ts'
import type { IconName } from '../ui/icon.tsx'

/*
 * THE registry of pages: sidebar, tabs of an export, palette, keys and screenshots are made from it. Each page is one line
 * of the list that fits it; `sample` is the object whose id the screenshots put in place of the route's parameter.
 */

/** A route as links name it. */
export type RoutePath = RegisteredRouter['routeTree']['types']['fileRouteTypes']['to']
type RouteWithParam = Extract<RoutePath, `${string}$${string}`>
type RouteAlone = Exclude<RoutePath, RouteWithParam>

/** Objects of the sample data, as e2e/screenshots.ts finds them. */
export type Sample =
  | 'healthy export'
  | 'export with holes'
  | 'failing export'
  | 'failed run'
  | 'recording'
  | 'link'

/** `paletteLabel`: where the label says too little. `holds`: the beginning of the paths that belong to the page besides its own. */
type SidebarPage = {
  to: RouteAlone
  label: string
  icon: IconName
  paletteLabel?: string
  holds?: `/${string}`
}

/** In the sidebar and the palette, in this order: a page below another one stands after it. */
export const sidebarPages = [
  { to: '/exports', label: 'Batch exports', icon: 'exports', holds: '/runs' },
  { to: '/recordings', label: 'Recordings', icon: 'play' },
  { to: '/recordings/errors', label: 'Errors', icon: 'alert', paletteLabel: 'Errors in recordings' },
  { to: '/settings/keys', label: 'API keys', icon: 'key' },
] as const satisfies readonly SidebarPage[]

type KeyPage = { to: RouteAlone; label: string; key: string; scope: Scope }

/** Opened from anywhere by a key, which does nothing without the scope; the palette lists it as it lists every key. */
export const keyPages = [
  { to: '/exports/new', label: 'New export', key: 'n', scope: 'batch_export:write' },
] as const satisfies readonly KeyPage[]

type View = { to: RouteWithParam; label: string; sample: Sample }

/** The tabs of an export, which the palette lists while one is open. */
export const exportViews = [
  { to: '/exports/$id', label: 'Runs', sample: 'export with holes' },
  { to: '/exports/$id/backfills', label: 'Backfills', sample: 'healthy export' },
  { to: '/exports/$id/logs', label: 'Logs', sample: 'healthy export' },
  { to: '/exports/$id/settings', label: 'Settings', sample: 'healthy export' },
] as const satisfies readonly View[]

/** Reached from other pages or by a link. */
const otherPages = [
  { to: '/exports/$id/edit', sample: 'healthy export' },
  { to: '/runs/$runId', sample: 'failed run' },
  { to: '/recordings/$id', sample: 'recording' },
  { to: '/shared/$token', sample: 'link' },
  { to: '/embedded/$token', sample: 'link' },
  { to: '/login' },
] as const satisfies readonly ({ to: RouteAlone } | { to: RouteWithParam; sample: Sample })[]

/** A function, so that the browser need not load what only tests and screenshots use. */
export function allPages() {
  return [...sidebarPages, ...keyPages, ...exportViews, ...otherPages]
}

/** The route of the sidebar's page that the page at a path belongs to. */
export function sidebarRouteAt(pathname: string): RoutePath | undefined {
  const isAtOrBelow = (beginning: string) => `${pathname}/`.startsWith(`${beginning}/`)
  return sidebarPages.findLast((page) => isAtOrBelow(page.to) || ('holds' in page && isAtOrBelow(page.holds)))
    ?.to
}
