import { useNavigate } from '@tanstack/react-router'
import { createContext, lazy, Suspense, useEffect, useState, type ReactNode } from 'react'
import { allowsScope, missingScope } from '../../contract/scopes.ts'
import { useAccount } from '../account.ts'
import { paletteActionsNow, type PaletteAction } from '../ui/list/palette-actions.ts'
import { keysNow, useKeys, type KeyBinding, type KeyNow } from '../ui/use-keys.ts'
import { keyPages } from './pages.ts'

const Palette = lazy(() => import('./palette.tsx').then((module) => ({ default: module.Palette })))
const KeysHelp = lazy(() => import('./keys-help.tsx').then((module) => ({ default: module.KeysHelp })))

type Opened = { what: 'palette' | 'help'; keys: KeyNow[]; actions: PaletteAction[] }

/** Opens the palette without a key, for buttons. */
export const OpenPalette = createContext<() => void>(() => undefined)

/** Binds the keys that work on every page, and renders the palette and the help that they open. */
export function CommandKeys({ children }: { children: ReactNode }) {
  const navigate = useNavigate()
  const { scopes } = useAccount()
  const [opened, setOpened] = useState<Opened | null>(null)
  const close = () => setOpened(null)
  const open = (what: Opened['what']) =>
    setOpened((now) => (now ? null : { what, keys: keysNow(), actions: paletteActionsNow() }))
  useKeys(
    {
      'mod+k': { does: 'Open the command palette', run: () => open('palette'), whileTyping: true },
      '?': { does: 'Show keyboard shortcuts', run: () => open('help') },
    },
    'everywhere',
  )
  const openPages = keyPages.map(({ key, label, scope, to }): [string, KeyBinding] => {
    const reason = allowsScope(scopes, scope) ? null : missingScope(scope)
    return [key, { does: label, reason, run: () => void navigate({ to }) }]
  })
  useKeys(Object.fromEntries(openPages), 'app')
  return (
    <OpenPalette value={() => open('palette')}>
      {children}
      <Suspense fallback={<DiscardKeys />}>
        {opened?.what === 'palette' && (
          <Palette keys={opened.keys} actions={opened.actions} onClose={close} />
        )}
        {opened?.what === 'help' && <KeysHelp keys={opened.keys} onClose={close} />}
      </Suspense>
    </OpenPalette>
  )
}

/** Discards keys while the palette or help loads, so that text typed for it does not pause an export. */
function DiscardKeys() {
  useEffect(() => {
    const hold = (event: KeyboardEvent) => {
      if (event.key.length > 1 || event.ctrlKey || event.metaKey) return
      event.preventDefault()
      event.stopImmediatePropagation()
    }
    addEventListener('keydown', hold, true)
    return () => removeEventListener('keydown', hold, true)
  }, [])
  return null
}
