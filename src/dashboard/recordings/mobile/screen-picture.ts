import { applyEvent, copyPage } from '../../../replay/page.ts'
import { eventsBetween } from '../../../replay/page-changes.ts'
import { PageNodes, type PageNode } from '../../../replay/page-nodes.ts'
import type { Page } from '../../../replay/page-tree.ts'
import {
  EventType,
  IncrementalSource,
  isSize,
  sourceOf,
  type ReplayEvent,
} from '../../../replay/recorded/rrweb.ts'
import { isLargeScreen } from './large-screen.ts'
import { paintViews, type Picture } from './paint-views.ts'
import { element, fixedIds } from './screen-document.ts'

/** Time (ms) of a recording in which a large screen is painted once, however often it changes. */
const paintedMs = 250

type Paint = (page: Page, width: number, height: number) => Promise<Picture>

/**
 * Returns a page that shows a picture of a large screen in the place of its views, which a browser would lay out in one long
 * task; any other page is returned as it is.
 */
export async function pictured(page: Page, paint: Paint = paintViews): Promise<Page> {
  const screen = page.nodes.get(fixedIds.screen)
  const size = page.latest.get('size')?.data
  if (!screen || !size || !isSize(size) || !isLargeScreen(page)) return page
  // A browser without this kind of canvas shows the views.
  const painted = await paint(page, size.width, size.height).catch(() => null)
  if (!painted) return page
  const { src, words } = painted
  const { picture } = fixedIds
  const attributes = {
    src,
    alt: words,
    class: 'view picture',
    style: 'inset: 0; width: 100vw; height: 100vh',
  }
  const own = element('img', attributes, [], picture)
  const alone = { previous: null, next: null, first: null, last: null, later: {} }
  const kept = new Map<number, PageNode>([
    [picture, { ...alone, id: picture, parent: screen.id, own }],
    [screen.id, { ...screen, first: picture, last: picture }],
  ])
  const pending = [page.root]
  for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
    const node = page.nodes.get(id)
    if (!node || kept.has(id)) continue
    kept.set(id, node)
    for (const child of page.nodes.childrenOf(node)) pending.push(child.id)
  }
  return { ...page, nodes: new PageNodes(new Map(), kept), latest: new Map(page.latest) }
}

/**
 * Returns the events that change the shown page as `next` changes the recorded one. The frame shows `page` after the events
 * `sent`; `recorded` is the recorded page at that time, which this function changes. A large screen is painted after its last
 * change in each period of `paintedMs`. Returns null if `isStopped` before a picture.
 */
export async function picturedEvents(
  recorded: Page,
  { page, sent }: { page: Page; sent: readonly ReplayEvent[] },
  next: readonly ReplayEvent[],
  isStopped: () => boolean,
  paint: Paint = paintViews,
): Promise<ReplayEvent[] | null> {
  const shown = copyPage(page)
  for (const event of sent) applyEvent(shown, event)
  const events: ReplayEvent[] = []
  const periodOf = ({ timestamp }: ReplayEvent) => Math.floor(timestamp / paintedMs)
  const lastChanges = new Map(next.filter(isMutation).map((event) => [periodOf(event), event]))
  for (const event of next) {
    // Playback from the start of a recording begins with the snapshot, which the shown page has.
    if (event.type === EventType.FullSnapshot) continue
    applyEvent(recorded, event)
    const isChange = isMutation(event)
    if (isChange && isLargeScreen(recorded)) {
      if (lastChanges.get(periodOf(event)) !== event) continue
      if (isStopped()) return null
    }
    const changes = isChange
      ? eventsBetween(shown, await pictured(recorded, paint), event.timestamp, Infinity)?.filter(isMutation)
      : null
    for (const change of changes ?? [event]) {
      applyEvent(shown, change)
      events.push(change)
    }
  }
  return events
}

function isMutation(event: ReplayEvent): boolean {
  return sourceOf(event) === IncrementalSource.Mutation
}
