import { useNavigate } from '@tanstack/react-router'
import { createContext, Suspense, useLayoutEffect, useRef, useState, type ReactNode } from 'react'
import { scopeReason } from '../../contract/accounts/scopes.ts'
import { useAccount } from '../account.ts'
import { paletteActionsNow, usePaletteActions, type PaletteAction } from '../ui/list/palette-actions.ts'
import { keysNow, useKeys, type KeyBinding, type KeyNow } from '../ui/use-keys.ts'
import { keyPages } from './pages.ts'
import { lazyNamed } from '../ui/lazy-named.ts'

const Palette = lazyNamed(() => import('./palette.tsx'), 'Palette')
const LastActionsCurl = lazyNamed(() => import('../exports/curl/curl-dialogs.tsx'), 'LastActionsCurl')
const KeysHelp = lazyNamed(() => import('./keys-help.tsx'), 'KeysHelp')

type Opened = { what: 'palette' | 'help' | 'actions'; keys: KeyNow[]; actions: PaletteAction[] }

/** Opens the palette without a key, for buttons. */
export const OpenPalette = createContext<() => void>(() => undefined)

/** Opens the list of keyboard shortcuts. */
export const OpenHelp = createContext<() => void>(() => undefined)

/** Binds the keys that work on every page, and renders the palette and the help that they open. */
export function CommandKeys({ children }: { children: ReactNode }) {
  const navigate = useNavigate()
  const { scopes } = useAccount()
  const [opened, setOpened] = useState<Opened | null>(null)
  const typedAhead = useRef('')
  const close = () => setOpened(null)
  const open = (what: Opened['what']) => {
    typedAhead.current = ''
    setOpened((now) => (now ? null : { what, keys: keysNow(), actions: paletteActionsNow() }))
  }
  useKeys(
    {
      'mod+k': { does: 'Open the command palette', run: () => open('palette'), whileTyping: true },
      '?': { does: 'Show keyboard shortcuts', run: () => open('help') },
    },
    'everywhere',
  )
  usePaletteActions([
    { id: 'last actions', label: 'Show my last actions as curl', run: () => open('actions') },
  ])
  const openPages = keyPages.map(({ key, label, scope, to }): [string, KeyBinding] => {
    const reason = scopeReason(scopes, scope)
    return [key, { does: label, reason, run: () => void navigate({ to }) }]
  })
  useKeys(Object.fromEntries(openPages), 'app')
  return (
    <OpenPalette value={() => open('palette')}>
      <OpenHelp value={() => open('help')}>{children}</OpenHelp>
      <Suspense fallback={<HoldKeys typed={typedAhead} onClose={close} />}>
        {opened?.what === 'palette' && (
          <Palette keys={opened.keys} actions={opened.actions} typedAhead={typedAhead} onClose={close} />
        )}
        {opened?.what === 'help' && <KeysHelp keys={opened.keys} onClose={close} />}
        {opened?.what === 'actions' && <LastActionsCurl onClose={close} />}
      </Suspense>
    </OpenPalette>
  )
}

/** Holds keys typed while the palette or help loads, so that they reach the palette and trigger no action on a row. */
function HoldKeys({ typed, onClose }: { typed: { current: string }; onClose: () => void }) {
  // A layout effect, so that no key is held once the palette has appeared.
  useLayoutEffect(() => {
    const hold = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey) return
      if (event.key === 'Escape') onClose()
      else if (event.key === 'Backspace') typed.current = typed.current.slice(0, -1)
      else if (event.key.length === 1) typed.current += event.key
      else return
      event.preventDefault()
      event.stopImmediatePropagation()
    }
    addEventListener('keydown', hold, true)
    return () => removeEventListener('keydown', hold, true)
  })
  return null
}
