import type { Assets } from './assets.ts'
import type { FromReader, ToReader } from '../reader/reader-messages.ts'
import { Stage } from './stage.ts'

const widthMax = 240
const edge = 8

/**
 * Creates a small second picture above the timeline. Its document exists only while `show` is in effect. It uses the events and
 * keyframes of the reader, so that it costs no further download.
 */
export function createPreview(root: HTMLElement, assets: Assets, ask: (message: ToReader) => void) {
  const box = document.createElement('div')
  box.className = 'preview'
  const size = () => {
    const width = Math.min(widthMax, innerWidth / 2)
    return { width, height: (width * 5) / 8 }
  }
  const stage = new Stage(
    box,
    assets,
    (message) => message.kind === 'show' && ask({ kind: 'preview', time: message.time }),
    () => undefined,
    size,
  )
  return {
    open: (time: number) => stage.open(time),
    /** Shows the page at a time (ms since the epoch), around this place (px), with space below for the time. */
    show(time: number, { x, bottom }: { x: number; bottom: number }) {
      const { width, height } = size()
      const left = Math.min(Math.max(edge, x - width / 2), innerWidth - width - edge)
      box.style.cssText = `width: ${width}px; height: ${height}px; left: ${left}px; bottom: ${bottom}px`
      root.append(box)
      stage.show(time, { isPlaying: false, speed: 1 })
    },
    hide() {
      stage.clear()
      box.remove()
    },
    receive({ time, events }: Extract<FromReader, { kind: 'preview' }>) {
      const { contrast } = assets.visitor
      if (box.isConnected)
        stage.receivePage({ kind: 'page', time, contrast, events, next: [], until: Infinity })
      else stage.clear()
      box.hidden = events.length === 0
    },
  }
}
