import type { Replayer } from '@rrweb/replay'
import { EventType, IncrementalSource, MouseInteractions, sourceOf } from '../../../replay/recorded/rrweb.ts'
import { targetAttribute } from '../../../replay/recorded/adapted-css.ts'
import { stateTag, type Contrast, type PageState } from '../../../replay/recorded/page-state.ts'
import { attributesOf, isElement, type ReplayPart } from './replay-part.ts'

const invoker = '[popovertarget]'

/**
 * Applies the recorded page state: the frame takes the visitor's color scheme, the page its popovers, dialogs and target.
 * `onContrast` is called when the contrast differs from that of `visitor`, with which the page is shown.
 */
export function createPageState(
  visitor: Readonly<{ contrast: Contrast }>,
  onContrast: () => void,
): ReplayPart {
  const showTopLayer = createTopLayer()
  /** Ids of the nodes whose clicks can have opened popovers; null if the recorder reports which are open. */
  let clicks: number[] | null = []
  let marked: Element | null = null

  const show = ({ tag, payload }: PageState, replayer: Replayer) => {
    if (tag === 'spool/animations') return
    if (tag === 'spool/preferences') {
      replayer.iframe.style.colorScheme = payload?.scheme ?? 'light'
      if (payload?.contrast && payload.contrast !== visitor.contrast) onContrast()
      return
    }
    if (tag === 'spool/target') {
      const target = payload?.id ? elementOf(payload.id, replayer) : null
      if (target !== marked) marked?.removeAttribute(targetAttribute)
      target?.setAttribute(targetAttribute, '')
      marked = target
      return
    }
    const ids = payload?.ids ?? []
    const elements = ids.flatMap((id) => elementOf(id, replayer) ?? [])
    const isReported = tag === 'spool/top-layer' && payload !== null
    clicks = isReported ? null : ids
    showTopLayer(isReported ? elements : openedBy(elements, replayer))
  }

  return {
    onEvent(event, replayer) {
      if (event.type === EventType.FullSnapshot) {
        // The state of a new page is unknown until its first event.
        replayer.iframe.style.colorScheme = 'light'
        clicks = []
      }
      // The reader has validated it.
      if (stateTag(event)) show(event.data as PageState, replayer)
      const { type, id } = event.data
      if (sourceOf(event) !== IncrementalSource.MouseInteraction || type !== MouseInteractions.Click) return
      const target = elementOf(Number(id), replayer)
      if (clicks && target && (clicks.length > 0 || target.closest(invoker)))
        show({ tag: 'spool/popover-clicks', payload: { ids: [...clicks, Number(id)] } }, replayer)
    },
  }
}

function elementOf(id: number, replayer: Replayer): HTMLElement | null {
  const node = replayer.getMirror().getNode(id)
  return (isElement(node) ? node : (node?.parentElement ?? null)) as HTMLElement | null
}

/** Returns the popovers that are open after clicks; a click also closes the popovers that do not contain it. */
function openedBy(clicked: readonly HTMLElement[], replayer: Replayer): HTMLElement[] {
  let open: HTMLElement[] = []
  for (const element of clicked) {
    const button = element.closest(invoker)
    const id = button?.getAttribute('popovertarget') ?? ''
    const target = (button?.getRootNode() as Document | undefined)?.getElementById(id)
    const action = button?.getAttribute('popovertargetaction')?.toLowerCase()
    const opens = action === 'show' || (action !== 'hide' && !(target && open.includes(target)))
    const isManual = (popover: HTMLElement) => attributesOf(popover, replayer)['popover'] === 'manual'
    open = open.filter((popover) => popover !== target && (popover.contains(element) || isManual(popover)))
    if (target && isPopover(target) && opens) open.push(target)
  }
  return open
}

/** Returns a function that shows popovers, and modal dialogs that rrweb has opened, in an order. */
function createTopLayer(): (elements: readonly HTMLElement[]) => void {
  let shown: readonly HTMLElement[] = []
  return (elements) => {
    const wanted = elements.filter(
      (element) => element.isConnected && (isPopover(element) || isModal(element)),
    )
    const open = shown.filter((element) => isModal(element) || element.matches(':popover-open'))
    open.push(...wanted.filter((element) => isModal(element) && !open.includes(element)))
    const differing = wanted.findIndex((element, index) => open[index] !== element)
    const place = differing === -1 ? wanted.length : differing
    for (const element of open.slice(place)) if (isPopover(element)) element.hidePopover()
    for (const element of wanted.slice(place)) {
      if (isModal(element)) {
        element.close()
        element.showModal()
      } else {
        // Neither another popover nor the viewer closes it.
        element.popover = 'manual'
        element.showPopover()
      }
    }
    shown = wanted
  }
}

function isPopover(element: HTMLElement): boolean {
  return element.hasAttribute('popover') && 'showPopover' in element
}

function isModal(element: HTMLElement): element is HTMLDialogElement {
  return element.matches('dialog:modal')
}
