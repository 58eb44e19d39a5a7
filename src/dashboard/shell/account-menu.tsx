import { Suspense, useId, useRef, useState } from 'react'
import { useAccount } from '../account.ts'
import { Avatar } from '../ui/avatar.tsx'
import { lazyNamed } from '../ui/lazy-named.ts'

const loadItems = () => import('./account-menu-items.tsx')
const AccountMenuItems = lazyNamed(loadItems, 'AccountMenuItems')

/** A button that names the user, and opens the menu of their account; its items are loaded when it is first used. */
export function AccountMenu({ onOpen }: { onOpen: () => void }) {
  const id = useId()
  const ref = useRef<HTMLDivElement>(null)
  const [open, setOpen] = useState(false)
  const { name, user } = useAccount()
  const load = () => void loadItems().catch(() => undefined)
  return (
    <>
      <button
        type="button"
        aria-label={`Account: ${name}`}
        aria-haspopup="menu"
        aria-expanded={open}
        popoverTarget={id}
        onPointerEnter={load}
        onFocus={load}
        className="flex w-full items-center gap-2 rounded-md px-2 py-1.5 text-left text-ink-2 hover:bg-hover"
      >
        <Avatar name={name} />
        <span className="min-w-0 flex-1">
          <span className="block truncate font-medium text-ink" title={name}>
            {name}
          </span>
          <span className="block truncate text-xs text-ink-3" title={user.organization.name}>
            {user.organization.name}
          </span>
        </span>
      </button>
      <div
        ref={ref}
        id={id}
        popover="auto"
        onToggle={(event) => setOpen(event.newState === 'open')}
        className="anchored-start max-h-[calc(100%-8px)] w-64 [position-try-order:most-height] overflow-y-auto rounded-lg border border-line bg-raised p-1 text-ink shadow-overlay"
      >
        <Suspense fallback={<output className="block px-2 py-1.5 text-ink-3">Loading…</output>}>
          {open && (
            <AccountMenuItems
              onDone={() => {
                ref.current?.hidePopover()
                onOpen()
              }}
            />
          )}
        </Suspense>
      </div>
    </>
  )
}
