import { Avatar } from './avatar.tsx'
import { Icon } from './icon.tsx'

type WhoProps = { name: string; kind?: 'person' | 'key' | 'link' | 'system' }

const icons = { key: 'key', link: 'share', system: 'settings' } as const

/** A name with an avatar or, if no person acted, with the icon of what did. As high as a line of text. */
export function Who({ name, kind = 'person' }: WhoProps) {
  return (
    <span className="inline-flex max-w-full items-center gap-1.5 align-bottom">
      {kind === 'person' ? (
        <Avatar name={name} />
      ) : (
        <span className="inline-grid size-5 shrink-0 place-items-center text-ink-3">
          <Icon name={icons[kind]} size={14} />
        </span>
      )}
      <span className="min-w-0 wrap-anywhere">{name}</span>
    </span>
  )
}
