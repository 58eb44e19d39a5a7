import { pageAsSvg } from '../picture/page-picture.ts'
import type { Question } from '../player/player-messages.ts'
import { countMatches, elementAt } from './chosen-elements.ts'

/**
 * Returns the answer to a question about the recorded page.
 * @throws if the player shows no page.
 */
export async function answerOf(question: Question): Promise<unknown> {
  const frame = document.querySelector<HTMLIFrameElement>('body > .replayer-wrapper:not([hidden]) > iframe')
  if (!frame) throw new Error('The player shows no page.')
  switch (question.kind) {
    case 'picture':
      return pageAsSvg(frame, question.title)
    case 'element':
      return elementAt(frame, question)
    case 'matches':
      return countMatches(frame, question.selectors)
  }
}
