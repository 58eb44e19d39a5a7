import { Replayer } from '@rrweb/replay'
import type { eventWithTime } from '@rrweb/types'
import type { ReplayEvent } from '../../../contract/rrweb.ts'
import { notLoaded } from './neutralize.ts'

const gap =
  'repeating-linear-gradient(135deg, rgb(128 128 128 / 0.16) 0 6px, rgb(128 128 128 / 0.06) 6px 12px)'

/** A replayer whose document runs no script, fetches nothing, and can be neither clicked nor focused. */
export function createReplayer(root: HTMLElement, events: readonly ReplayEvent[]): Replayer {
  // What a recording holds is not known; rrweb passes over what it cannot apply.
  const replayer = new Replayer([...events] as unknown as eventWithTime[], {
    root,
    showWarning: false,
    triggerFocus: false,
    // Building a second tree and comparing it takes longer than the changes between two snapshots of posthog-js.
    useVirtualDom: false,
    UNSAFE_replayCanvas: false,
    mouseTail: { duration: 400, lineCap: 'round', lineWidth: 2, strokeStyle: 'rgb(73 80 246 / 0.5)' },
    insertStyleRules: [`[${notLoaded}] { background: ${gap} !important; }`],
  })
  replayer.iframe.inert = true
  passOverBroken(replayer)
  return replayer
}

/** rrweb applies what came before a moment at one go: one event that it cannot apply would take all after it along. */
function passOverBroken(replayer: Replayer): void {
  const inside = replayer as unknown as { applyIncremental: (...event: unknown[]) => void }
  const apply = inside.applyIncremental.bind(replayer)
  inside.applyIncremental = (...event) => {
    try {
      apply(...event)
    } catch (error) {
      reportError(error)
    }
  }
}
