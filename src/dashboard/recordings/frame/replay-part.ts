import type { Replayer } from '@rrweb/replay'
import { isObject, type ReplayEvent } from '../../../replay/recorded/rrweb.ts'

/** An extension of rrweb's replayer. */
export type ReplayPart = {
  /** Receives each node once it and its parent exist. */
  onBuild?: (node: Node, id: number, replayer: Replayer) => void
  /** Receives each event once it has been applied. */
  onEvent?: (event: ReplayEvent, replayer: Replayer) => void
  /** Called after each seek, with its time in milliseconds since the epoch. */
  onSeek?: (replayer: Replayer, time: number) => void
}

/** Calls a function whose failure must not stop the replay. */
export function orReport(act: () => void): void {
  try {
    act()
  } catch (error) {
    reportError(error)
  }
}

/** Recognises elements of frames, which are not instances of this window's `Element`. */
export function isElement(node: Node | null): node is Element {
  return node?.nodeType === Node.ELEMENT_NODE
}

export function isStyle(node: Node | null): node is HTMLStyleElement {
  return node?.nodeName === 'STYLE'
}

/** Returns the recorded attributes of an element, which include some that its element lacks. */
export function attributesOf(element: Element, replayer: Replayer): Record<string, unknown> {
  const meta = replayer.getMirror().getMeta(element)
  const attributes: unknown = meta && 'attributes' in meta ? meta.attributes : null
  return isObject(attributes) ? attributes : {}
}
