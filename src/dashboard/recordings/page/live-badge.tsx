import { Button } from '../../ui/controls/button.tsx'
import type { Live } from './use-live.ts'

/** Says that the visit is ongoing; a click stops following it, or jumps to its newest moment. */
export function LiveBadge({ live: { ongoing, isFollowing, jump, stop } }: { live: Live }) {
  if (!ongoing) return null
  return (
    <span className="flex items-center gap-1">
      <Button
        aria-pressed={isFollowing}
        title={isFollowing ? 'New data arrives automatically. Click to stop.' : 'Click to follow again.'}
        onClick={isFollowing ? stop : jump}
      >
        <span aria-hidden="true" className={isFollowing ? 'text-fail-ink' : 'text-ink-3'}>
          {isFollowing ? '●' : '○'}
        </span>
        {isFollowing ? 'Live' : 'Live, not followed'}
      </Button>
      {isFollowing && (
        <Button look="quiet" onClick={jump}>
          Go to now
        </Button>
      )}
    </span>
  )
}
