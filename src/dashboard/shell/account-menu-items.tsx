/* oxlint-disable jsx-a11y/prefer-tag-over-role -- HTML has no groups of menu items */
import { Link } from '@tanstack/react-router'
import { use, useLayoutEffect, useRef, type ReactNode } from 'react'
import { unknownEmail } from '../../contract/accounts/unknown-email.ts'
import { useAccount } from '../account.ts'
import { setPreferences, themes, usePreferences } from '../format/preferences.ts'
import { isUtcHere, zoneName } from '../format/time.ts'
import { roleLabels } from '../members/role-words.ts'
import { Avatar } from '../ui/avatar.tsx'
import { itemsIn, moveFocus } from '../ui/controls/menu.tsx'
import { Icon } from '../ui/icon.tsx'
import { KeyHint } from '../ui/key-hint.tsx'
import { OpenHelp } from './command-keys.tsx'
import { accountPages, type RoutePath } from './pages.ts'
import { useSignOut } from './use-sign-out.ts'

/** The items of the account menu: pages of the user, what this browser prefers, help and signing out. */
export function AccountMenuItems({ onDone }: { onDone: () => void }) {
  const ref = useRef<HTMLDivElement>(null)
  const { user, name } = useAccount()
  const { theme, zone } = usePreferences()
  const openHelp = use(OpenHelp)
  const signOut = useSignOut()
  useLayoutEffect(() => {
    if (ref.current) itemsIn(ref.current)[0]?.focus()
  }, [])
  const page = (label: string, to: RoutePath, hash = '') => (
    <Link
      key={label}
      to={to}
      hash={hash}
      role="menuitem"
      tabIndex={-1}
      onClick={onDone}
      className={itemClass}
    >
      {label}
    </Link>
  )
  return (
    <>
      <div className="flex items-center gap-2.5 px-2 pt-1.5 pb-2">
        <Avatar name={name} size="large" />
        <div className="min-w-0 wrap-anywhere">
          <p className="font-medium">{name}</p>
          <p className="text-xs text-ink-3">{aboutUser(user)}</p>
        </div>
      </div>
      <div ref={ref} role="menu" tabIndex={-1} aria-label="Account" onKeyDown={moveFocus}>
        <Group label="Pages">
          {accountPages.map(({ to, label }) => page(label, to))}
          {page('API keys', '/settings/keys')}
          {page('Sessions', '/settings/account', 'sessions')}
        </Group>
        <Group label="Theme" isShown>
          {themes.map(([value, label]) => (
            <Choice key={value} checked={theme === value} onChoose={() => setPreferences({ theme: value })}>
              {label.replace(' theme', '')}
            </Choice>
          ))}
        </Group>
        {!isUtcHere() && (
          <Group label="Time zone" isShown>
            {(['local', 'utc'] as const).map((value) => (
              <Choice key={value} checked={zone === value} onChoose={() => setPreferences({ zone: value })}>
                {value === 'utc' ? 'UTC' : zoneName('local')}
              </Choice>
            ))}
          </Group>
        )}
        <Group label="More">
          <Item
            onSelect={() => {
              onDone()
              openHelp()
            }}
          >
            <span className="flex-1">Keyboard shortcuts</span>
            <KeyHint of="?" />
          </Item>
          <Item onSelect={() => void signOut()}>
            <Icon name="leave" /> Sign out
          </Item>
        </Group>
      </div>
    </>
  )
}

type User = ReturnType<typeof useAccount>['user']

function aboutUser({ key, email, role }: User): string {
  const who = key ? 'API key' : email === unknownEmail ? null : email
  return [who, role && roleLabels[role]].filter(Boolean).join(' · ')
}

const itemClass =
  'flex w-full items-center gap-2 rounded-sm px-2 py-1.5 text-left text-ink hover:bg-hover focus:bg-hover'

type GroupProps = { label: string; isShown?: boolean; children: ReactNode }

function Group({ label, isShown = false, children }: GroupProps) {
  return (
    <div role="group" aria-label={label} className="border-t border-line py-1 last:pb-0">
      {isShown && (
        <div aria-hidden="true" className="px-2 pt-1 text-xs text-ink-3">
          {label}
        </div>
      )}
      {children}
    </div>
  )
}

function Item({ onSelect, children }: { onSelect: () => void; children: ReactNode }) {
  return (
    <button type="button" role="menuitem" tabIndex={-1} onClick={onSelect} className={itemClass}>
      {children}
    </button>
  )
}

type ChoiceProps = { checked: boolean; onChoose: () => void; children: ReactNode }

/** One of several choices; the menu stays open, so that the choice is seen. */
function Choice({ checked, onChoose, children }: ChoiceProps) {
  return (
    <button
      type="button"
      role="menuitemradio"
      aria-checked={checked}
      tabIndex={-1}
      onClick={onChoose}
      className={itemClass}
    >
      <span className="flex-1">{children}</span>
      {checked && <Icon name="check" />}
    </button>
  )
}
