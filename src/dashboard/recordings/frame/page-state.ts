import { EventType } from '../../../replay/recorded/rrweb.ts'
import type { PageState } from '../../../contract/recordings/page-state.ts'
import { stateTag } from '../../../replay/recorded/page-state.ts'
import type { ReplayPart } from './replay-part.ts'

/** Gives the page what our addition to the recorder told of it. */
export function createPageState(): ReplayPart {
  return {
    onEvent(event, { iframe }) {
      // Of another page nothing is known yet.
      if (event.type === EventType.FullSnapshot) iframe.style.colorScheme = 'light'
      if (!stateTag(event)) return
      // The reader has validated it.
      const { payload } = event.data as PageState
      iframe.style.colorScheme = payload?.scheme ?? 'light'
    },
  }
}
