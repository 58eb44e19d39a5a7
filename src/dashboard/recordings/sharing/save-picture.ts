import { toastFailure } from '../../ui/feedback/toasts.ts'
import { saveFile } from '../../ui/save-file.ts'
import { clockTime } from '../../format/clock.ts'
import type { Player } from '../player/player.ts'

/** Saves the page that the player shows as an SVG file; `name` is the name of the visit. */
export async function savePicture(player: Player, name: string): Promise<void> {
  try {
    const { pageAsSvg } = await import('../picture/page-picture.ts')
    const page = player.shownPage()
    if (!page) throw new Error('The player shows no page.')
    const time = clockTime(player.state.get().playing.at)
    const svg = await pageAsSvg(page, `${name}, ${time}`)
    const file = `${name} ${time}`.replaceAll(/[^\p{L}\p{N}@.]+/gu, '-')
    saveFile(`${file}.svg`, new Blob([svg], { type: 'image/svg+xml' }))
  } catch (error) {
    toastFailure('The picture could not be made.', () => void savePicture(player, name))(error)
  }
}
