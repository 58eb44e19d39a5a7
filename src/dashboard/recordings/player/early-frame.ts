import { contentOrigin } from '../../api/content-origin.ts'
import { messageFrom, type FromPlayer } from './player-messages.ts'

/** A player's frame; it is ready once it has loaded. */
type Frame = { element: HTMLIFrameElement; isReady: boolean }
type Mover = { moveBefore?: (node: Node, before: null) => void }

/** The frame that loads before the player that will show it is rendered. */
let early: Frame | null = null

/** Starts to load a player's frame, unless the browser could not move it into the player without loading it again. */
export function loadFrameEarly(): void {
  if (early || !('moveBefore' in document.body)) return
  const frame = { element: newFrame(), isReady: false }
  early = frame
  addEventListener('message', function learn(event) {
    const origin = contentOrigin()
    if (early !== frame) removeEventListener('message', learn)
    else if (messageFrom<FromPlayer>(event, { window: frame.element.contentWindow, origin }))
      frame.isReady = true
  })
  frame.element.style.visibility = 'hidden'
  document.body.append(frame.element)
}

/** Removes a frame that no player will show. */
export function dropEarlyFrame(): void {
  early?.element.remove()
  early = null
}

/** Puts a player's frame into a container. */
export function placeFrame(container: Element & Mover): Frame {
  const frame = early
  early = null
  if (frame) {
    container.moveBefore?.(frame.element, null)
    frame.element.style.visibility = ''
    return frame
  }
  const element = newFrame()
  container.append(element)
  return { element, isReady: false }
}

/**
 * Creates a frame of which nothing can be clicked or focused; it sends its messages to the origin in the fragment. Only the
 * dashboard's own scripts run in it; the recorded page inside is sandboxed.
 */
function newFrame(): HTMLIFrameElement {
  const element = document.createElement('iframe')
  element.title = 'The recorded page'
  element.inert = true
  element.tabIndex = -1
  element.className = 'absolute inset-0 size-full'
  element.src = `${contentOrigin()}/player.html#${location.origin}`
  return element
}
