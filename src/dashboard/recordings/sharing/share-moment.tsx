import { Button } from '../../ui/controls/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { toast } from '../../ui/feedback/toasts.ts'
import { clockTime } from '../../format/clock.ts'
import { usePlayer, type Player } from '../player/player.ts'

/** Copies a link that starts at the current position. `path` is the page's path; `opensFor` describes who can open it. */
export function ShareMoment({ player, path, opensFor }: { player: Player; path: string; opensFor: string }) {
  const seconds = usePlayer(player, ({ playing }) => Math.floor(playing.at / 1000))
  const time = clockTime(seconds * 1000)
  const copy = () => {
    const url = new URL(path, location.origin)
    if (seconds > 0) url.searchParams.set('t', String(seconds))
    const link = url.href
    navigator.clipboard.writeText(link).then(
      () => toast(`Link to ${time} copied. It works for ${opensFor}.`),
      () => toast(`The browser blocked copying. Copy the link by hand: ${link}`, { tone: 'failed' }),
    )
  }
  return (
    <Button onClick={copy}>
      <Icon name="copy" />
      <span>
        Share<span className="max-sm:sr-only"> from {time}</span>
      </span>
    </Button>
  )
}
