const storageKey = 'spool.key'

/** The API key of the signed-in user, stored for this tab or remembered on this device. */
export type Session = ReturnType<typeof createSession>

export function createSession(stores: { tab: () => Storage; device: () => Storage }) {
  /** Returns the tab's key; a new tab adopts the remembered one. */
  const key = () => {
    const own = stores.tab().getItem(storageKey)
    if (own !== null) return own
    const remembered = stores.device().getItem(storageKey)
    if (remembered !== null) stores.tab().setItem(storageKey, remembered)
    return remembered
  }
  return {
    key,
    /** Whether new tabs are signed in with the same key. */
    isRemembered: () => key() !== null && key() === stores.device().getItem(storageKey),
    signIn: (key: string, remember: boolean) => {
      stores.tab().setItem(storageKey, key)
      if (remember) stores.device().setItem(storageKey, key)
      else stores.device().removeItem(storageKey)
    },
    /** Forgets the key, here and where it is remembered; another tab's key stays. */
    signOut: () => {
      if (key() === stores.device().getItem(storageKey)) stores.device().removeItem(storageKey)
      stores.tab().removeItem(storageKey)
    },
  }
}

/** The session of this browser. */
export const session = createSession({ tab: () => sessionStorage, device: () => localStorage })

/** Returns the key in a sign-in URL's fragment (`#key=…`), or null. */
export function keyInFragment(fragment: string): string | null {
  return new URLSearchParams(fragment.replace(/^#/, '')).get('key') || null
}

/**
 * Signs in with the key in the page's URL, if any, remembers it for the browser's other tabs, and removes it from the URL.
 * Returns whether there was one.
 */
export function signInFromUrl(into: Session): boolean {
  const key = keyInFragment(location.hash)
  if (key === null) return false
  history.replaceState(history.state, '', location.pathname + location.search)
  into.signIn(key, true)
  return true
}
