import { useAccount } from '../account.ts'
import { Avatar } from '../ui/avatar.tsx'
import { lazyNamed } from '../ui/lazy-named.ts'
import { SidebarMenu } from './sidebar-menu.tsx'

const loadItems = () => import('./account-menu-items.tsx')
const AccountMenuItems = lazyNamed(loadItems, 'AccountMenuItems')

/** A button that names the user, and opens the menu of their account; its items are loaded when it is first used. */
export function AccountMenu({ onOpen }: { onOpen: () => void }) {
  const { name, user } = useAccount()
  const load = () => void loadItems().catch(() => undefined)
  const label = (
    <>
      <Avatar name={name} />
      <span className="min-w-0 flex-1">
        <span className="block truncate font-medium text-ink" title={name}>
          {name}
        </span>
        <span className="block truncate text-xs text-ink-3" title={user.organization.name}>
          {user.organization.name}
        </span>
      </span>
    </>
  )
  return (
    <SidebarMenu
      button={{
        'aria-label': `Account: ${name}`,
        'aria-haspopup': 'menu',
        onPointerEnter: load,
        onFocus: load,
        children: label,
      }}
      Content={AccountMenuItems}
      onOpen={onOpen}
      className="p-1"
    />
  )
}
