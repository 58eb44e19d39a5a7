import type { Replayer } from '@rrweb/replay'
import { phone } from './screen-document.ts'

/** Width of the edge around the screen, in pixels of the screen; `phone.css` draws it. */
const edgeWidth = 14

/** Shows a replayed document as a phone if it is an app's screen. Returns the width in pixels that this adds on each side. */
export function framePhone({ iframe, wrapper }: Replayer): number {
  const isPhone = iframe.contentDocument?.documentElement?.hasAttribute(phone) ?? false
  wrapper.classList.toggle('phone', isPhone)
  return isPhone ? edgeWidth : 0
}
